import { stepPage } from "../../shared/domain/funnels/step-page";
import { pathOf } from "../../shared/domain/tracking/address";

describe("a step's page", () => {
  it.each([
    ["https://shop.example/pricing", "/pricing"],
    ["https://shop.example/über uns", "/über uns"],
    ["https://shop.example/%C3%BCber%20uns", "/über uns"],
    ["https://shop.example/%C3%BCber%20uns", "/%C3%BCber%20uns"],
    ["https://shop.example/商品/1", "/商品/1"],
    ["https://shop.example//double", "//double"],
    ["https://shop.example/a\\b", "/a\\b"],
    ["https://shop.example/account/jane@shop.example/orders", "/account/jane@shop.example/orders"],
    ["https://shop.example/account/jane@shop.example/orders", "/account/[email]/orders"],
    [`https://shop.example/${"x".repeat(800)}`, `/${"x".repeat(800)}`],
    ["https://shop.example/app#/cart", "/app#/cart"],
    ["https://shop.example/app#!/cart?step=1", "/app#!/cart"],
    ["https://shop.example/?q=1", " / "],
  ])("of %s is counted under what %j is kept as", (address, typed) => {
    expect(stepPage(typed)).toEqual({ page: pathOf(new URL(address), true) });
  });

  it("is kept as it is once it is kept", () => {
    for (const typed of [
      "/",
      "/über uns*",
      "/a/jane@shop.example",
      `/${"x".repeat(800)}*`,
      "/app#/cart",
      "/%",
    ]) {
      const once = stepPage(typed);
      expect(once).toEqual({ page: expect.any(String) });
      expect(stepPage("page" in once ? once.page : "")).toEqual(once);
    }
  });

  it("keeps the * of a beginning, also of one longer than what paths are counted by", () => {
    expect(stepPage("/shop/*")).toEqual({ page: "/shop/*" });
    expect(stepPage("/*")).toEqual({ page: "/*" });
    expect(stepPage("/über*")).toEqual({ page: "/%C3%BCber*" });
    expect(stepPage(`/${"x".repeat(800)}*`)).toEqual({ page: `/${"x".repeat(511)}*` });
  });

  it.each([
    ["", "must begin with /"],
    ["pricing", "must begin with /"],
    ["https://shop.example/pricing", "without the domain"],
    ["*", "must begin with /"],
    ["/a*b", "can have one *"],
    ["/a**", "can have one *"],
    ["/a?b=1", "without the query"],
    ["/a#section", "without the fragment"],
    ["/a#*", "without the fragment"],
    ["/a/../b", "must not have . or .."],
    ["/a/%2e%2E*", "must not have . or .."],
    ["/a\nb", "control characters"],
    ["/a\ud800", "control characters"],
    [`/${"x".repeat(2_000)}`, "at most 2000 characters"],
  ])("is not %j", (text, problem) => {
    expect(stepPage(text)).toEqual({ problem: expect.stringContaining(problem) });
  });
});
