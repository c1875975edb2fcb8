// What an engineer writes who has the description and a generator. It is type-checked by the test that generates the client.
import {
  defaults,
  getFunnels,
  getLeads,
  getOverview,
  getPages,
  getProducts,
  getRevenue,
  getUsers,
} from "../../../.build/client/api";

export function useService(baseUrl: string, key: string): void {
  defaults.baseUrl = baseUrl;
  defaults.headers = { authorization: `Bearer ${key}` };
}

const question = (siteId: number) =>
  ({ siteId, period: "last_7d", timezone: "Asia/Kathmandu", cacheControl: "no-cache" }) as const;

/** Asks every operation; the answers by operation. */
export const readAll = async (siteId: number) => ({
  overview: await getOverview(question(siteId)),
  revenue: await getRevenue(question(siteId)),
  leads: await getLeads(question(siteId)),
  pages: await getPages({ ...question(siteId), limit: 10 }),
  products: await getProducts(question(siteId)),
  users: await getUsers(question(siteId)),
  funnels: await getFunnels(question(siteId)),
});

/** Purchases per hundred leads, or the code of what went wrong: both are known to the types. */
export async function leadsToPurchase(siteId: number): Promise<number | string> {
  const [revenue, leads] = [await getRevenue(question(siteId)), await getLeads(question(siteId))];
  if (revenue.status !== 200) return revenue.data.code;
  if (leads.status !== 200) return leads.data.code;
  return (revenue.data.totals.purchases / leads.data.totals.leads) * 100;
}

/** Sources of the days from `from` to `to`, or what to do about the error. */
export async function sources(siteId: number, from: string, to: string): Promise<string[] | string> {
  const answer = await getOverview({ siteId, $from: from, to });
  if (answer.status !== 200) return answer.data.error;
  return answer.data.by_source.map(
    ({ source, channel, revenue }) => `${source} / ${channel}: ${revenue.toFixed(2)}`,
  );
}
