import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KMSClient } from "@aws-sdk/client-kms";
import { openKms } from "../../infra/local/aws/kms";
import { kmsSecretBox } from "../../shared/adapters/kms-secret-box";
import { MINUTE } from "../../shared/domain/instant";
import type { SecretBox } from "../../shared/ports/secret-box";
import { type Running, startFixture } from "./support";

let service: Running;
let kms: KMSClient;
let now = 0;
let asked = 0;
const denials: string[] = [];
beforeAll(async () => {
  service = await startFixture({ report: (line) => denials.push(line) });
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  kms = new KMSClient({ endpoint: service.awsUrl, region: service.region, credentials, maxAttempts: 1 });
  kms.middlewareStack.add(
    (next) => (args) => {
      asked++;
      return next(args);
    },
    { step: "initialize" },
  );
});
afterAll(async () => {
  kms.destroy();
  await service.close();
});

const box = (key = "Sealing"): SecretBox => kmsSecretBox(kms, service.named(key), () => now);
const context = { purpose: "test", site: "1" };

describe("a secret box over KMS", () => {
  test("opens what it sealed, whatever the text and the order of the context", async () => {
    for (const plain of ["whsec_abc", "ü€\u{1f600}\0\n", "x".repeat(4096)]) {
      const sealed = await box().seal(plain, context);
      expect(sealed).not.toContain(plain);
      await expect(box().open(sealed, { site: "1", purpose: "test" })).resolves.toBe(plain);
    }
  });

  test("seals the same text differently each time", async () => {
    const sealed = await Promise.all([box().seal("a", context), box().seal("a", context)]);
    expect(new Set(sealed).size).toBe(2);
  });

  test("opens nothing in another context, with another key, or that was tampered with", async () => {
    const sealed = await box().seal("whsec_abc", context);
    const broken = { name: "SealBroken" };
    await expect(box().open(sealed, { ...context, site: "2" })).rejects.toMatchObject(broken);
    await expect(box().open(sealed, {})).rejects.toMatchObject(broken);
    await expect(box("Foreign").open(sealed, context)).rejects.toMatchObject(broken);
    const bytes = Buffer.from(sealed, "base64");
    for (const at of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      await expect(box().open(changed.toString("base64"), context)).rejects.toMatchObject(broken);
    }
    for (const other of ["AAAA", sealed.slice(0, -8)]) {
      await expect(box().open(other, context)).rejects.toMatchObject(broken);
    }
  });

  test("asks once for some minutes, also for callers at the same time, and never remembers in place of the context", async () => {
    const one = box();
    const sealed = await one.seal("whsec_abc", context);
    asked = 0;
    await Promise.all([one.open(sealed, context), one.open(sealed, context)]);
    now += 4 * MINUTE;
    await one.open(sealed, context);
    expect(asked).toBe(1);
    await expect(one.open(sealed, { ...context, site: "2" })).rejects.toThrow();
    now += MINUTE;
    await one.open(sealed, context);
    expect(asked).toBe(3);
  });

  test("does not remember a failure", async () => {
    const one = box("Nonexistent");
    asked = 0;
    const fail = () => expect(one.open("AAAA", context)).rejects.toHaveProperty("name", "NotFoundException");
    await fail();
    await fail();
    expect(asked).toBe(2);
  });
});

describe("what a role grants of a key", () => {
  const call = async (command: string, input: object): Promise<Record<string, unknown>> => {
    const outcome = await service.invoke("Caller", { service: "kms", command, input });
    if (!outcome.ok) throw new Error(outcome.error.errorMessage);
    return outcome.payload as Record<string, unknown>;
  };
  const Plaintext = "abc";

  test("is all that is done with it: sealing here, and neither opening nor another key", async () => {
    const arn = (id: string) => `arn:aws:kms:eu-west-1:000000000000:key/${service.named(id)}`;
    await expect(call("Encrypt", { KeyId: service.named("Sealing"), Plaintext })).resolves.toHaveProperty(
      "output",
    );
    await expect(call("Encrypt", { KeyId: arn("Sealing"), Plaintext })).resolves.toHaveProperty("output");
    const refused = [
      ["Decrypt", { KeyId: service.named("Sealing"), CiphertextBlob: Plaintext }],
      ["Decrypt", { CiphertextBlob: Plaintext }],
      ["Encrypt", { KeyId: service.named("Foreign"), Plaintext }],
      ["GenerateDataKey", { KeyId: service.named("Sealing"), KeySpec: "AES_256" }],
    ] as const;
    for (const [command, input] of refused) {
      await expect(call(command, input)).resolves.toMatchObject({
        error: "AccessDeniedException",
        message: expect.stringContaining(`kms:${command}`),
      });
      expect(denials.at(-1)).toContain(`kms:${command}`);
    }
  });
});

describe("the key file", () => {
  const directory = mkdtempSync(join(tmpdir(), "kms-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const key = { logicalId: "K", name: "K", arn: "arn:aws:kms:eu-west-1:000000000000:key/K" };
  const seal = (kms: ReturnType<typeof openKms>) =>
    kms.answer("Encrypt", { KeyId: "K", Plaintext: "YWJj" }) as { body: { CiphertextBlob: string } };
  const open = (kms: ReturnType<typeof openKms>, CiphertextBlob: string) =>
    kms.answer("Decrypt", { KeyId: "K", CiphertextBlob });

  test("lets the next run open what this one sealed, and nobody else read it; without a directory nothing is kept", () => {
    const { CiphertextBlob } = seal(openKms([key], directory)).body;
    expect(open(openKms([key], directory), CiphertextBlob)).toMatchObject({ body: { Plaintext: "YWJj" } });
    expect(statSync(join(directory, "kms.key")).mode & 0o077).toBe(0);
    expect(open(openKms([key]), CiphertextBlob)).toHaveProperty("type", "InvalidCiphertextException");
  });

  test("that was damaged is said, not replaced", () => {
    writeFileSync(join(directory, "kms.key"), "half");
    expect(() => openKms([key], directory)).toThrow("Put it back");
  });
});
