import type { Funnel } from "../domain/funnels/funnel";

/** The saved funnels of a site as of one moment. */
export interface SiteFunnels {
  /** Changes with every change of any of them; 0 for a site that never had one. */
  readonly version: number;
  /** By id. */
  readonly funnels: readonly Funnel[];
}

export interface FunnelDirectory {
  /** Read consistently, in one round trip. */
  of(site: number, signal?: AbortSignal): Promise<SiteFunnels>;
}
