import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { SealBroken, type SecretBox, type SecretContext } from "../../shared/ports/secret-box";

/** A secret box with a key of its own, which lasts as long as it does. */
export function memorySecretBox(): SecretBox {
  const key = randomBytes(32);
  const bound = (context: SecretContext) => Buffer.from(JSON.stringify(Object.entries(context).sort()));
  return {
    async seal(plain, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(bound(context));
      const sealed = [iv, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed).toString("base64");
    },
    async open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64");
      const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).setAAD(bound(context));
      cipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([cipher.update(bytes.subarray(12, -16)), cipher.final()]).toString("utf8");
      } catch {
        throw new SealBroken("not sealed here");
      }
    },
  };
}
