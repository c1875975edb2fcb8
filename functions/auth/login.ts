import { createHash } from "node:crypto";
import * as z from "zod";
import type { Member, Workspace } from "../../shared/domain/access/member";
import { ApiError } from "../../shared/domain/errors";
import { type Instant, MINUTE, SECOND } from "../../shared/domain/instant";

/** Any text may be tried; what is no e-mail or no password of ours is just wrong. */
export const loginBody = z.strictObject({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254)
    .refine((text) => text.isWellFormed(), "must be text"),
  password: z.string().max(200),
});

/** Counts attempts by key over a window that really rolls, shared by all instances. */
interface AttemptWindow {
  take(key: string, now: Instant): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }>;
  /** Forgets the attempts of `key`. */
  reset(key: string): Promise<void>;
}

export interface Login {
  readonly member: Member;
  readonly workspace: Workspace;
}

export interface LoginDependencies {
  /** Takes as long for an unknown e-mail. */
  readonly findMemberByEmail: (email: string) => Promise<Member | null>;
  readonly findWorkspace: (workspace: number) => Promise<Workspace | null>;
  readonly verifyPassword: (password: string, storedHash: string) => Promise<boolean>;
  /** A hash no password fits. */
  readonly decoyHash: string;
  readonly attemptsByEmail: AttemptWindow;
  readonly attemptsByAddress: AttemptWindow;
}

/**
 * Attempts within the window. An e-mail's begin anew with a successful login, so they count failures; an address's do
 * not, or one good account would buy any number of guesses at others. An office has many people behind one address.
 */
export const ATTEMPTS = { windowMs: 15 * MINUTE, byEmail: 10, byAddress: 50 } as const;

/**
 * The member whose e-mail and password these are. Throws TOO_MANY_ATTEMPTS, also for the right password, and
 * BAD_CREDENTIALS, which does not tell whether the e-mail exists: neither in words nor in time.
 */
export async function logIn(
  { email, password }: z.output<typeof loginBody>,
  from: { readonly address: string; readonly now: Instant },
  dependencies: LoginDependencies,
): Promise<Login> {
  const { attemptsByAddress, attemptsByEmail, verifyPassword, decoyHash } = dependencies;
  // The address first: one that is refused must not use up the attempts of somebody else's e-mail.
  await countAttempt(attemptsByAddress, `login-address#${from.address}`, from.now);
  const emailKey = `login-email#${sha256(email)}`;
  await countAttempt(attemptsByEmail, emailKey, from.now);
  const member = await dependencies.findMemberByEmail(email);
  const matches = await verifyPassword(password, member?.passwordHash ?? decoyHash);
  const workspace = member && matches ? await dependencies.findWorkspace(member.workspace) : null;
  if (!member || !workspace) throw new ApiError("BAD_CREDENTIALS");
  await attemptsByEmail.reset(emailKey);
  return { member, workspace };
}

async function countAttempt(window: AttemptWindow, key: string, now: Instant): Promise<void> {
  const { allowed, retryAfterMs } = await window.take(key, now);
  if (allowed) return;
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND));
  throw new ApiError("TOO_MANY_ATTEMPTS", undefined, { "retry-after": String(seconds) });
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
