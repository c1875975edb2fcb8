/** A saved funnel of a site (decisions: "Funnels"). */
export interface Funnel {
  /** In the site, from 1, never given twice. */
  readonly id: number;
  readonly name: string;
  /**
   * Changes when what the steps match changes, and not with a name: cubes of an earlier revision answer another question.
   */
  readonly revision: number;
  /** In order, 2 to 8. */
  readonly steps: readonly FunnelStep[];
}

export interface FunnelStep {
  readonly name: string;
  readonly matches: StepMatch;
}

/** What does a step: a view of a page, or an event. */
export type StepMatch =
  /** Of exactly this path, or, with a trailing `*`, of any that begins so. */
  | { readonly page: string }
  /** `Lead`, `Schedule`, `Purchase` or the name of a custom event. */
  | { readonly event: string };

/** Names the cubes of a funnel's revision. */
export const funnelFacetName = ({ id, revision }: Pick<Funnel, "id" | "revision">): string =>
  `funnel-${id}-${revision}`;
