import { DAY, type Instant } from "../../shared/domain/instant";
import { ADS, type Ad } from "./support";

/** A sale as the model keeps it. */
export interface NaiveSale {
  readonly paid: string;
  readonly existing: string | null;
  readonly at: Instant;
  status: string | null;
  /** The source credited, `(none)` without a visit. */
  source: string;
  byVisitor: boolean;
}

/**
 * Whose a sale is, as one would write it down: no versions, no transactions, everything in memory and looked through from
 * end to end. E-mails are lower case and rightly spelt.
 */
export class NaiveJourneys {
  readonly sales: NaiveSale[] = [];
  private readonly visits: { evid: string; at: Instant; ad: Ad }[] = [];
  private readonly attached: { email: string; evid: string }[] = [];
  /** Since when somebody is known by their first e-mail, and whose second one an e-mail is. */
  private readonly people = new Map<string, Instant>();
  private readonly seconds = new Map<string, { of: string; since: Instant }>();

  visit(evid: string, at: Instant, ad: Ad): void {
    this.visits.push({ evid, at, ad });
  }

  identify(evid: string, email: string, at: Instant): void {
    this.attached.push({ email, evid });
    this.meet(email, at);
  }

  sale(paid: string, existing: string | null, evid: string | null, at: Instant): NaiveSale {
    const { status, person } = this.link(paid, existing, at + DAY);
    const ownVisit = this.lastVisit([evid], at);
    const source = ownVisit ?? this.byEmails(person ? [person, paid] : [paid], at) ?? "(none)";
    const sale = { paid, existing, at, status, source, byVisitor: ownVisit !== null };
    this.sales.push(sale);
    this.meet(person ?? paid, at);
    if (person) this.makeSecond(paid, person, at);
    if (evid !== null && ownVisit !== null) {
      for (const email of [paid, person]) if (email) this.attached.push({ email, evid });
    }
    return sale;
  }

  /** Somebody looks after a pending sale at `now`. */
  look(sale: NaiveSale, evid: string | null, now: Instant): void {
    if (sale.status !== "pending") return;
    const { status, person } = this.link(sale.paid, sale.existing, sale.at + DAY);
    sale.status = status === "pending" && now >= sale.at + DAY ? "not_found" : status;
    if (!person) return;
    this.makeSecond(sale.paid, person, now);
    if (sale.byVisitor && evid !== null) this.attached.push({ email: person, evid });
    else sale.source = this.byEmails([person, sale.paid], sale.at) ?? sale.source;
  }

  /** Money by source, each sale being worth 10. */
  revenue(): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { source } of this.sales) sums[source] = (sums[source] ?? 0) + 10;
    return sums;
  }

  /** The table of the contract, "Existing-email link status". */
  private link(paid: string, existing: string | null, until: Instant) {
    if (existing === null) return { status: null, person: null };
    if (existing === paid) return { status: "ignored", person: null };
    const first = this.people.get(existing) ?? Number.POSITIVE_INFINITY;
    const second = this.seconds.get(existing);
    const person = first <= until ? existing : second && second.since <= until ? second.of : null;
    const owner = this.seconds.get(paid)?.of;
    if (person === paid) return { status: "linked", person };
    if (owner !== undefined && owner !== person) return { status: "conflict", person: null };
    return person === null ? { status: "pending", person } : { status: "linked", person };
  }

  private meet(email: string, at: Instant): void {
    if (!this.people.has(email)) this.people.set(email, at);
  }

  private makeSecond(email: string, of: string, since: Instant): void {
    if (email !== of && !this.seconds.has(email)) this.seconds.set(email, { of, since });
  }

  private byEmails(emails: readonly string[], at: Instant): string | null {
    for (const email of emails) {
      const evids = this.attached.filter((one) => one.email === email).map(({ evid }) => evid);
      const source = this.lastVisit(evids, at);
      if (source !== null) return source;
    }
    return null;
  }

  private lastVisit(evids: readonly (string | null)[], at: Instant): string | null {
    const some = this.visits.filter((visit) => evids.includes(visit.evid) && visit.at <= at);
    const last = some.sort((a, b) => b.at - a.at)[0];
    return last ? ADS[last.ad].source : null;
  }
}
