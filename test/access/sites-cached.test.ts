import type { Site } from "../../shared/domain/access/principal";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import { cachedSites } from "../../shared/storage/access/sites";

const site = (id: number, name = "S"): Site => ({ id, workspace: 1, domain: "shop.example", name });

function setUp(found: (id: number) => Site | null | Error) {
  const state = { now: 0, asked: [] as number[] };
  const directory = {
    async find(id: number) {
      state.asked.push(id);
      const answer = found(id);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { state, sites: cachedSites(directory, () => state.now) };
}

test("a site is asked for once a minute", async () => {
  let name = "Before";
  const { state, sites } = setUp((id) => site(id, name));
  await sites.find(1);
  name = "After";
  state.now = MINUTE - 1;
  await expect(sites.find(1)).resolves.toMatchObject({ name: "Before" });
  state.now = MINUTE;
  await expect(sites.find(1)).resolves.toMatchObject({ name: "After" });
  expect(state.asked).toEqual([1, 1]);
});

test("callers at the same time share one question", async () => {
  const { state, sites } = setUp((id) => site(id));
  await Promise.all(Array.from({ length: 50 }, () => sites.find(1)));
  expect(state.asked).toEqual([1]);
});

test("a missing site is remembered for 5 seconds only, so that a new one works at once", async () => {
  let exists = false;
  const { state, sites } = setUp((id) => (exists ? site(id) : null));
  await expect(sites.find(1)).resolves.toBeNull();
  exists = true;
  state.now = 5 * SECOND - 1;
  await expect(sites.find(1)).resolves.toBeNull();
  state.now = 5 * SECOND;
  await expect(sites.find(1)).resolves.toEqual(site(1));
});

test("a failure is passed on and not remembered", async () => {
  let fails = true;
  const { sites } = setUp((id) => (fails ? new Error("down") : site(id)));
  await expect(sites.find(1)).rejects.toThrow("down");
  fails = false;
  await expect(sites.find(1)).resolves.toEqual(site(1));
});

test("strangers' numbers push out the oldest entries instead of growing it without bound", async () => {
  const { state, sites } = setUp((id) => site(id));
  for (let id = 1; id <= 10_001; id++) await sites.find(id);
  await sites.find(10_001);
  expect(state.asked).toHaveLength(10_001);
  await sites.find(1);
  expect(state.asked).toHaveLength(10_002);
});
