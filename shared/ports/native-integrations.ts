import type { LastReceived, NativeIntegration } from "../domain/native/integration";
import type { NativeKind } from "../domain/native/kinds";

/** Where messages find the integration they are for. */
export interface NativeDirectory {
  /** The site's integration whose URL ends in `token`; null when there is none. Any string is a safe argument. */
  findByToken(kind: NativeKind, token: string): Promise<NativeIntegration | null>;
  /** Keeps what became of the last message; nothing where the integration was deleted meanwhile. */
  noteReceived(integration: NativeIntegration, received: LastReceived): Promise<void>;
}

/** What a native integration reports by itself. */
export interface NativeSource {
  readonly kind: NativeKind;
  readonly eventType: string;
}

/** What native integrations report to a site, for the warning beside receiving webhooks (contract: rule 9). */
export interface NativeSources {
  /** Integrations that can take messages: those whose signing secret was entered. */
  reporting(site: number): Promise<readonly NativeSource[]>;
}
