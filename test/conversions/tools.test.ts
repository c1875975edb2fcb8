import { isObject, type JsonValue } from "../../shared/domain/conversion/json";
import { readBody } from "../../shared/domain/conversion/payload/body";
import { readPayload } from "../../shared/domain/conversion/reading";
import { CONNECTORS } from "./tools/connectors";
import { PEOPLE } from "./tools/people";
import { SELLERS } from "./tools/sellers";
import { SHOPS } from "./tools/shops";

/** What stands at a path with dots; undefined where nothing does. */
const at = (value: JsonValue, path: string): JsonValue | undefined =>
  path.split(".").reduce<JsonValue | undefined>((inside, key) => {
    if (Array.isArray(inside)) return inside[Number(key)];
    return isObject(inside) && Object.hasOwn(inside, key) ? inside[key] : undefined;
  }, value);

test.each(
  [...SHOPS, ...SELLERS, ...PEOPLE, ...CONNECTORS].map((fixture) => [fixture.tool, fixture] as const),
)("%s", async (_, { type, body, reading, kept, gone }) => {
  const read = await readBody(Buffer.from(body), { "content-type": type });
  const payload = "payload" in read ? read.payload : {};
  const { properties, ...fields } = readPayload(payload);
  expect(fields).toEqual(reading);
  expect(properties).toMatchObject(kept);
  expect(gone.filter((path) => at(payload, path) === undefined)).toEqual([]);
  expect(gone.filter((path) => at(properties, path) !== undefined)).toEqual([]);
});
