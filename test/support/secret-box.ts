import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SecretBox, SecretContext } from "../../shared/ports/secret-box";

/** A secret box whose key dies with it: AES-256-GCM, the context authenticated with the text. */
export function memorySecretBox(): SecretBox {
  const key = randomBytes(32);
  const bound = (context: SecretContext) => Buffer.from(JSON.stringify(Object.entries(context).sort()));
  return {
    async seal(plain, context) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(bound(context));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64");
    },
    async open(sealed, context) {
      const bytes = Buffer.from(sealed, "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).setAAD(bound(context));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
