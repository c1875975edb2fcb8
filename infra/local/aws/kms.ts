import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { LocalFailure } from "../failure";
import type { KeyOfKmsModel } from "../template/model";

/** What a KMS request is answered with: a body, or AWS's error. */
export type KmsAnswer = { readonly body: object } | { readonly type: string; readonly message: string };

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** KMS encrypts at most this much itself. */
const MAX_PLAINTEXT = 4096;

const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const common = { KeyId: z.string(), EncryptionContext: z.record(z.string(), z.string()).default({}) };
const encryptRequest = z.object({ ...common, Plaintext: base64 });
const decryptRequest = z.object({ ...common, CiphertextBlob: base64 });

const refused = (type: string, message: string): KmsAnswer => ({ type, message });

/**
 * Encrypt and Decrypt over the template's keys (by id or ARN): AES-256-GCM with the encryption context as additional data. Each
 * key is derived from one secret, kept in `<dataDir>/kms.key`, readable by the owner alone; without a directory it lasts as
 * long as the run. Decrypt insists on the key's id, as our own caller always says it.
 * @throws LocalFailure when the file is not as it was written
 */
export function openKms(models: readonly KeyOfKmsModel[], dataDir?: string) {
  const master = dataDir === undefined ? randomBytes(KEY_BYTES) : kept(join(dataDir, "kms.key"));
  const derive = (arn: string): Buffer => Buffer.from(hkdfSync("sha256", master, "", arn, KEY_BYTES));
  const keys = new Map(models.map(({ arn }) => [arn, derive(arn)]));
  const arnOf = (id: string): string => models.find(({ arn, name }) => id === arn || id === name)?.arn ?? id;

  function encrypt(raw: unknown): KmsAnswer {
    const { success, data } = encryptRequest.safeParse(raw);
    if (!success || data.Plaintext.length === 0 || data.Plaintext.length > MAX_PLAINTEXT)
      return refused("ValidationException", `Plaintext must have 1 to ${MAX_PLAINTEXT} bytes.`);
    const KeyId = arnOf(data.KeyId);
    const key = keys.get(KeyId);
    if (!key) return refused("NotFoundException", `Key '${KeyId}' does not exist`);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(additional(data.EncryptionContext));
    const sealed = Buffer.concat([iv, cipher.update(data.Plaintext), cipher.final(), cipher.getAuthTag()]);
    return { body: { CiphertextBlob: sealed.toString("base64"), KeyId, EncryptionAlgorithm } };
  }

  function decrypt(raw: unknown): KmsAnswer {
    const { success, data } = decryptRequest.safeParse(raw);
    if (!success) return refused("ValidationException", "KeyId and CiphertextBlob are required.");
    const KeyId = arnOf(data.KeyId);
    const key = keys.get(KeyId);
    if (!key) return refused("NotFoundException", `Key '${KeyId}' does not exist`);
    const { CiphertextBlob: sealed } = data;
    const tagAt = sealed.length - TAG_BYTES;
    if (tagAt <= IV_BYTES) return refused("InvalidCiphertextException", "");
    try {
      const plain = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, IV_BYTES))
        .setAAD(additional(data.EncryptionContext))
        .setAuthTag(sealed.subarray(tagAt));
      const Plaintext = Buffer.concat([plain.update(sealed.subarray(IV_BYTES, tagAt)), plain.final()]);
      return { body: { Plaintext: Plaintext.toString("base64"), KeyId, EncryptionAlgorithm } };
    } catch {
      return refused("InvalidCiphertextException", "");
    }
  }

  const operations: Readonly<Record<string, (raw: unknown) => KmsAnswer>> = {
    Encrypt: encrypt,
    Decrypt: decrypt,
  };
  return {
    answer: (operation: string, body: unknown): KmsAnswer =>
      operations[operation]?.(body) ??
      refused("UnknownOperationException", `No local service takes ${operation} of KMS.`),
  };
}

const EncryptionAlgorithm = "SYMMETRIC_DEFAULT";

/** The context in one way of writing, whatever the order of its fields. */
const additional = (context: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

function kept(file: string): Buffer {
  if (!existsSync(file)) {
    writeFileSync(file, randomBytes(KEY_BYTES).toString("base64"), { mode: 0o600, flag: "wx" });
  }
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  if (key.length === KEY_BYTES) return key;
  throw new LocalFailure(
    `${file} is not as it was written. Put it back: without it the secrets of webhooks cannot be read.`,
  );
}
