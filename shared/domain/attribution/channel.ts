import { type Origin, UNATTRIBUTED } from "../analytics/fact";
import { DIRECT, resolveSignals, type Signals } from "./source";
import type { Touch } from "./touch";

/** A visit's source and channel, with the rule that fired and the version of the table it stands in. */
export interface Classification extends Origin {
  readonly channel: Channel;
  readonly rule: RuleId;
  readonly version: number;
}

/** Raise it with every change of the rules or the lists: visits keep it, so that a change can be replayed. */
const RULES_VERSION = 1;

const PAID_MEDIUM = /^(.*cp.*|ppc|retargeting|paid.*)$/;
const SHOPPING_CAMPAIGN = /(^|[^a-z])shop(ping)?([^a-z]|$)/;
const DISPLAY_MEDIA = ["display", "banner", "expandable", "interstitial", "cpm"];
const SOCIAL_MEDIA = ["social", "social-network", "social-media", "sm", "social network", "social media"];
const EMAIL_NAMES = ["email", "e-mail", "e_mail", "e mail", "newsletter"];

const paid = (s: Signals): boolean => PAID_MEDIUM.test(s.medium);
const paidOrSaidSo = (s: Signals): boolean => paid(s) || s.paidName;
const shopping = (s: Signals): boolean => s.kind === "shopping" || SHOPPING_CAMPAIGN.test(s.campaign);
const clicked = (s: Signals, ...ids: Parameters<Signals["clickIds"]["has"]>[0][]): boolean =>
  ids.some((id) => s.clickIds.has(id));
const anySource = (s: Signals): boolean => s.source !== DIRECT;

/** The channels, in order: the first rule that holds decides. */
const RULES = [
  ["cross-network", "Cross-network", (s) => `${s.campaign} ${s.medium}`.includes("cross-network")],
  ["paid-shopping", "Paid Shopping", (s) => shopping(s) && paid(s)],
  [
    "paid-search",
    "Paid Search",
    (s) => (s.kind === "search" && paidOrSaidSo(s)) || clicked(s, "gclid", "gbraid", "wbraid", "msclkid"),
  ],
  ["paid-social", "Paid Social", (s) => (s.kind === "social" && paidOrSaidSo(s)) || clicked(s, "ttclid")],
  ["paid-video", "Paid Video", (s) => s.kind === "video" && paidOrSaidSo(s)],
  ["display", "Display", (s) => DISPLAY_MEDIA.includes(s.medium)],
  ["paid-other", "Paid Other", paid],
  ["organic-shopping", "Organic Shopping", shopping],
  ["organic-social", "Organic Social", (s) => s.kind === "social" || SOCIAL_MEDIA.includes(s.medium)],
  ["organic-video", "Organic Video", (s) => s.kind === "video" || s.medium.includes("video")],
  ["ai-assistants", "AI Assistants", (s) => s.kind === "ai"],
  ["organic-search", "Organic Search", (s) => s.kind === "search" || s.medium === "organic"],
  [
    "email",
    "Email",
    (s) => s.kind === "webmail" || EMAIL_NAMES.includes(s.source) || EMAIL_NAMES.includes(s.medium),
  ],
  ["affiliates", "Affiliates", (s) => s.medium === "affiliate" || s.medium === "affiliates"],
  ["audio", "Audio", (s) => s.medium === "audio"],
  ["sms", "SMS", (s) => s.source === "sms" || s.medium === "sms"],
  [
    "mobile-push",
    "Mobile Push Notifications",
    (s) => /push$|mobile|notification/.test(s.medium) || s.source === "firebase",
  ],
  ["referral", "Referral", (s) => ["referral", "app", "link"].includes(s.medium) || anySource(s)],
  ["direct", "Direct", () => true],
] as const satisfies readonly (readonly [string, string, (signals: Signals) => boolean])[];

export type RuleId = (typeof RULES)[number][0];
export type Channel = (typeof RULES)[number][1];

/** The channels in the order of their rules. */
export const CHANNELS: readonly Channel[] = RULES.map(([, channel]) => channel);

/**
 * Classifies a visit by the table of channel rules. Total: any input has a channel.
 * @param domain the site's host, lower case, without `www.`: neither it nor what lies under it is ever a source
 */
export function classify(touch: Touch, domain: string): Classification {
  const signals = resolveSignals(touch, domain);
  const [rule, channel] = RULES.find(([, , holds]) => holds(signals)) ?? (["direct", "Direct"] as const);
  return { source: signals.source, channel, rule, version: RULES_VERSION };
}

/** Whether a marketer may credit it: everything but a direct visit and none at all (decisions: "Credit"). */
export const isMarketing = ({ channel }: Origin): boolean =>
  channel !== "Direct" && channel !== UNATTRIBUTED.channel;
