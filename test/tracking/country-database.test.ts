import { FUNCTIONS } from "../../infra/manifest";
import { countryDatabase } from "../../shared/adapters/country-database";

const lookUp = countryDatabase(FUNCTIONS.collect.assets["country.mmdb"]);

test.each([
  ["8.8.8.8", "US"],
  ["2a00:1450:4001:82f::200e", expect.stringMatching(/^[A-Z]{2}$/)],
  ["127.0.0.1", null],
  ["10.1.2.3", null],
  ["not an address", null],
  ["", null],
])("%j is in %s", async (address, country) => {
  expect(await lookUp(address)).toEqual(country);
});
