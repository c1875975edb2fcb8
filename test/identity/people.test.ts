import fc from "fast-check";
import type { Person } from "../../shared/domain/identity/known-email";
import { personAfter } from "../../shared/domain/identity/person";
import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import { NOON } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { type Ad, type Shop, startShop } from "./support";

let engine: Engine;
let shop: Shop;
let site = 8_000;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  shop = startShop(engine, ++site);
});

const EMAIL = "ann@home.example";
const ANN = { evid: "ann-laptop-1", at: NOON - HOUR, ad: "google" as Ad };

describe("names and phone", () => {
  const personOf = async () => (await shop.known(EMAIL)).person;

  test("are filled and replaced, never erased by empty ones; e-mail and displayed name stay (rules 5, 6)", async () => {
    await shop.sale({ email: "Ann@Home.example", first_name: "Ann", last_name: " ", order_id: "1" });
    expect(await personOf()).toMatchObject({ email: EMAIL, firstName: "Ann", lastName: null, phone: null });
    const { id } = (await personOf()) as Person;
    expect(id).toMatch(/^per_[0-9a-z]{26}$/);
    await shop.sale({ email: EMAIL, first_name: "", last_name: "Lee", phone: "+491", order_id: "2" });
    await shop.sale({ email: EMAIL, first_name: "Anna", phone: null, order_id: "3" });
    expect(await personOf()).toEqual({
      ...{ id, email: EMAIL, firstName: "Anna", lastName: "Lee", phone: "+491", displayName: "Ann" },
      ...{ created: NOON, toldAt: NOON },
    });
  });

  test("of a page count like those of a sale, whichever is later, in whatever order they arrive", async () => {
    await shop.identify(ANN, { email: EMAIL });
    expect(await personOf()).toMatchObject({ displayName: EMAIL, firstName: null });
    shop.now = NOON + HOUR;
    await shop.sale({ email: EMAIL, first_name: "Anna" });
    shop.now = NOON + MINUTE; // A page's message that was long under way.
    await shop.identify(ANN, { email: EMAIL, first_name: "Old", last_name: "Lee" });
    expect(await personOf()).toMatchObject({ firstName: "Anna", lastName: "Lee", displayName: EMAIL });
    shop.now = NOON + 2 * HOUR;
    await shop.identify(ANN, { email: EMAIL, first_name: "Annie", phone: "+49" });
    expect(await personOf()).toMatchObject({ firstName: "Annie", lastName: "Lee", phone: "+49" });
  });

  test("of one batch: the latest of each", async () => {
    await shop.identifyAtOnce(ANN, [
      { email: EMAIL, first_name: "B", phone: "+1" },
      { email: EMAIL, first_name: "A", last_name: "L" },
      { email: EMAIL, first_name: "" },
    ]);
    expect(await personOf()).toMatchObject({ firstName: "A", lastName: "L", phone: "+1" });
  });

  const value = fc.option(fc.constantFrom("x", "y", "z"));
  const told = fc.record({ firstName: value, lastName: value, phone: value });

  test("told in order: each is the last that was told (property)", () => {
    fc.assert(
      fc.property(fc.array(told, { minLength: 1 }), (all) => {
        const person = all.reduce<Person | null>(
          (known, contact, at) => personAfter(known, EMAIL, { contact, at, newId: `per_${at}` }) ?? known,
          null,
        );
        for (const field of ["firstName", "lastName", "phone"] as const) {
          expect(person?.[field]).toBe(all.findLast((one) => one[field] !== null)?.[field] ?? null);
        }
        expect(person).toMatchObject({ id: "per_0", email: EMAIL, created: 0 });
      }),
    );
  });

  test("told twice: the second time nothing changes (property)", () => {
    fc.assert(
      fc.property(told, told, fc.nat(9), fc.nat(9), (one, two, at, then) => {
        const first = personAfter(null, EMAIL, { contact: one, at, newId: "per_1" });
        const news = { contact: two, at: then, newId: "per_2" };
        const second = personAfter(first, EMAIL, news) ?? first;
        expect(personAfter(second, EMAIL, news)).toBeNull();
      }),
    );
  });
});

describe("e-mails attached to visits", () => {
  test("a sale with a visitor id attaches its e-mail, so that a later sale with nothing but that finds them", async () => {
    await shop.visit(ANN);
    await shop.sale({ email: EMAIL, evid: ANN.evid });
    shop.now += DAY;
    expect(await shop.sale({ email: ` ${EMAIL.toUpperCase()}` })).toMatchObject({ matched_by: "email" });
  });

  test("so does one with a click id, and neither moves the e-mail back in time", async () => {
    await shop.visit({ ...ANN, clickId: "click-1" });
    shop.now += HOUR;
    await shop.identify({ ...ANN, at: shop.now }, { email: EMAIL });
    const latest = (await shop.known(EMAIL)).visitors;
    shop.now -= HOUR;
    await shop.sale({ email: EMAIL, gclid: "click-1" });
    expect((await shop.known(EMAIL)).visitors).toEqual(latest);
    await shop.sale({ email: "x@home.example", gclid: "click-1" });
    expect((await shop.known("x@home.example")).visitors).toMatchObject([{ evid: ANN.evid, at: ANN.at }]);
  });

  test("a sale matched by e-mail alone attaches nothing", async () => {
    await shop.identify(ANN, { email: "ann@gmail.com" });
    await shop.sale({ email: "ann@gmial.com" });
    expect((await shop.known("ann@gmial.com")).visitors).toEqual([]);
  });

  test("a misspelt domain is also tried as the correct one, and never the other way (rule 3)", async () => {
    await shop.identify(ANN, { email: "ann@gmail.com" });
    expect(await shop.sale({ email: "Ann@Gmial.com" })).toMatchObject({ matched_by: "email" });
    await shop.identify({ ...ANN, evid: "bob-phone-12" }, { email: "bob@gmial.com" });
    expect(await shop.sale({ email: "bob@gmail.com" })).toMatchObject({ matched_by: null });
    // As sent comes before corrected.
    await shop.identify(
      { evid: "ann-phone-12", at: NOON - 2 * HOUR, ad: "news" },
      { email: "ann@gmial.com" },
    );
    const { event_id } = await shop.sale({ email: "ann@gmial.com", order_id: "2" });
    expect((await shop.event(event_id))?.match?.evid).toBe("ann-phone-12");
  });

  test("of a thousand browsers of one address the latest are found, and who they are", async () => {
    const evids = Array.from({ length: 60 }, (_, i) => `browser-${String((i * 37) % 60).padStart(4, "0")}`);
    for (const [i, evid] of evids.entries()) {
      await shop.identify({ evid, at: NOON - HOUR + i, ad: "google" }, { email: EMAIL, first_name: "Ann" });
    }
    const { event_id } = await shop.sale({ email: EMAIL });
    expect((await shop.event(event_id))?.match?.evid).toBe(evids.at(-1));
    expect((await shop.known(EMAIL)).person?.firstName).toBe("Ann");
  });
});
