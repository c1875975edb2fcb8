/** What a sealed value belongs to, such as `{purpose, site}`: it opens only where the same is said again. No secret itself. */
export type SecretContext = Readonly<Record<string, string>>;

/** A sealed value cannot be opened, now or later: it was tampered with, sealed in another context, or its key is lost. */
export class SealBroken extends Error {
  override readonly name = "SealBroken";
}

/**
 * Keeps secrets that must be shown or used again, so that whoever reads the tables reads none (a secret that need only
 * be recognised is stored as a hash instead). Both throw when the caller is not permitted.
 */
export interface SecretBox {
  /** @param plain at most 4 KB of UTF-8 */
  seal(plain: string, context: SecretContext): Promise<string>;
  /** Throws SealBroken. */
  open(sealed: string, context: SecretContext): Promise<string>;
}
