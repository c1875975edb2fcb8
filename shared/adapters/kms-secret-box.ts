import { DecryptCommand, EncryptCommand, type KMSClient } from "@aws-sdk/client-kms";
import { BoundedMap } from "../domain/bounded-map";
import { type Instant, MINUTE } from "../domain/instant";
import type { Clock } from "../ports/clock";
import { SealBroken, type SecretBox, type SecretContext } from "../ports/secret-box";

/** How long an instance remembers what it opened: a revoked grant takes effect that much later. */
const REMEMBERED = 5 * MINUTE;
const MAX_REMEMBERED = 1_000;

/** What KMS calls a value that none of its keys opens, or not this one. */
const BROKEN = new Set(["InvalidCiphertextException", "IncorrectKeyException"]);

interface Opened {
  readonly plain: Promise<string>;
  readonly until: Instant;
}

/**
 * Secrets sealed by one key of KMS, which never leaves it; the context is KMS's encryption context. A value is opened once
 * per instance and some minutes, also for callers at the same time; failures are not remembered.
 */
export function kmsSecretBox(kms: KMSClient, keyId: string, clock: Clock): SecretBox {
  const remembered = new BoundedMap<string, Opened>(MAX_REMEMBERED);

  async function decrypt(sealed: string, context: SecretContext): Promise<string> {
    const decrypting = new DecryptCommand({
      KeyId: keyId,
      CiphertextBlob: Buffer.from(sealed, "base64"),
      EncryptionContext: { ...context },
    });
    try {
      const { Plaintext } = await kms.send(decrypting);
      if (Plaintext) return Buffer.from(Plaintext).toString("utf8");
    } catch (error) {
      throw error instanceof Error && BROKEN.has(error.name) ? new SealBroken(error.name) : error;
    }
    throw new Error("KMS answered without a plaintext");
  }

  return {
    async seal(plain, context) {
      const { CiphertextBlob } = await kms.send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: Buffer.from(plain, "utf8"),
          EncryptionContext: { ...context },
        }),
      );
      if (!CiphertextBlob) throw new Error("KMS answered without a ciphertext");
      return Buffer.from(CiphertextBlob).toString("base64");
    },
    open(sealed, context) {
      const name = JSON.stringify([sealed, Object.entries(context).sort()]);
      const known = remembered.get(name);
      if (known && clock() < known.until) return known.plain;
      const opened: Opened = { plain: decrypt(sealed, context), until: clock() + REMEMBERED };
      remembered.set(name, opened);
      opened.plain.catch(() => {
        if (remembered.get(name) === opened) remembered.delete(name);
      });
      return opened.plain;
    },
  };
}
