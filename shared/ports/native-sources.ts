/** What a site's native integrations report by themselves. */
export interface NativeSource {
  /** Such as `stripe`. */
  readonly kind: string;
  /** `Lead`, `Schedule`, `Purchase` or a custom event's name. */
  readonly eventType: string;
}

export interface NativeSources {
  reporting(site: number): Promise<readonly NativeSource[]>;
}
