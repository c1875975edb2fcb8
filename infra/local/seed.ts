import type { Dynamo } from "../../shared/storage/dynamo";

/** What a person needs to try the service; written to `<LOCAL_DATA_DIR>/demo.json` and printed. */
export interface Demo {
  readonly base_url: string;
  readonly receive_url: string;
  readonly dashboard?: { readonly email: string; readonly password: string };
  readonly workspace_id?: number;
  readonly sites: readonly { readonly site_id: number; readonly domain: string; readonly snippet: string }[];
  readonly api_key?: string;
  readonly receiving_webhooks: readonly {
    readonly id: string;
    readonly name: string;
    readonly event_type: string;
    readonly url: string;
  }[];
  readonly form_integration?: { readonly url: string; readonly secret: string };
}

export interface SeedContext {
  readonly baseUrl: string;
  /** A client of the run's own DynamoDB; it may do everything. */
  readonly dynamo: Dynamo;
  /** Physical table names by table id (`Config`, `Facts`, ...). */
  readonly tables: Readonly<Record<string, string>>;
  /** Whether demo data is wanted; without it one workspace is all there is. */
  readonly demo: boolean;
  /** What the run before this one on the same data wrote: secrets are told once and live only here. */
  readonly previous?: Demo;
  /** Called with the share done, 0 to 1, of what takes a while. */
  progress(what: string, share: number): void;
}

/**
 * Makes what a new data directory lacks, through the product's own storage, and says what there is. Runs at every
 * start: on data that is seeded already it changes nothing, and only the addresses in its answer follow the port.
 */
export async function seed({ baseUrl, previous }: SeedContext): Promise<Demo> {
  return { sites: [], receiving_webhooks: [], ...previous, base_url: baseUrl, receive_url: baseUrl };
}
