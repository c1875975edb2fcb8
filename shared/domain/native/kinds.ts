/** The services whose own webhooks we read, beside any tool's (contract: "Events", native integrations). */
export const NATIVE_KINDS = ["stripe", "calendly"] as const;
export type NativeKind = (typeof NATIVE_KINDS)[number];

export const isNativeKind = (text: string | undefined): text is NativeKind =>
  NATIVE_KINDS.some((kind) => kind === text);
