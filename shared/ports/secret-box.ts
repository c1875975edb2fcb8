/** What a sealed value belongs to, such as `{purpose, site}`: it opens only where the same is said again. No secret itself. */
export type SecretContext = Readonly<Record<string, string>>;

/**
 * Keeps secrets that must be shown or used again, so that whoever reads the tables reads none (a secret that need only
 * be recognised is stored as a hash instead). Both throw when the caller is not permitted, `open` also for a value that was
 * tampered with or sealed in another context.
 */
export interface SecretBox {
  /** @param plain at most 4 KB of UTF-8 */
  seal(plain: string, context: SecretContext): Promise<string>;
  open(sealed: string, context: SecretContext): Promise<string>;
}
