import fc from "fast-check";
import {
  CHANNELS,
  type Channel,
  classify,
  isMarketing,
  type RuleId,
} from "../../shared/domain/attribution/channel";
import { readTouch } from "../../shared/domain/attribution/touch";

const DOMAIN = "shop.example";
const at = (query: string, referrer: string | null = null) =>
  classify(readTouch(`https://shop.example/${query}`, referrer), DOMAIN);

/** Landing query, referrer, and what they must come to. */
type Row = [query: string, referrer: string | null, source: string, channel: Channel, rule: RuleId];

const VISITS: Row[] = [
  // 1 Cross-network
  [
    "?utm_source=google&utm_medium=cpc&utm_campaign=Cross-network",
    null,
    "google",
    "Cross-network",
    "cross-network",
  ],
  ["?utm_source=google&utm_medium=cross-network&gclid=x", null, "google", "Cross-network", "cross-network"],
  // 2 Paid Shopping
  ["?utm_source=amazon&utm_medium=cpc", null, "amazon", "Paid Shopping", "paid-shopping"],
  [
    "?utm_source=google&utm_medium=cpc&utm_campaign=DE_Shopping_2026",
    null,
    "google",
    "Paid Shopping",
    "paid-shopping",
  ],
  [
    "?utm_source=bing&utm_medium=ppc&utm_campaign=shop-spring",
    null,
    "bing",
    "Paid Shopping",
    "paid-shopping",
  ],
  ["?utm_source=idealo&utm_medium=cpc", "https://www.idealo.de/", "idealo", "Paid Shopping", "paid-shopping"],
  // 3 Paid Search
  [
    "?utm_source=google&utm_medium=cpc&utm_campaign=brand&gclid=EAIaIQobChMI",
    "https://www.google.com/",
    "google",
    "Paid Search",
    "paid-search",
  ],
  ["?gclid=Cj0KCQiA", "https://www.google.de/", "google", "Paid Search", "paid-search"],
  ["?gbraid=0AAAAA", null, "google", "Paid Search", "paid-search"],
  ["?wbraid=ClEKEQ", null, "google", "Paid Search", "paid-search"],
  ["?msclkid=6f2a", "https://www.bing.com/", "bing", "Paid Search", "paid-search"],
  ["?utm_source=adwords", null, "google", "Paid Search", "paid-search"],
  ["?utm_source=google-ads&utm_campaign=x", null, "google", "Paid Search", "paid-search"],
  ["?utm_source=bing_ads", null, "bing", "Paid Search", "paid-search"],
  ["?utm_source=Yandex&utm_medium=CPC", null, "yandex", "Paid Search", "paid-search"],
  ["?utm_source=duckduckgo&utm_medium=paid", null, "duckduckgo", "Paid Search", "paid-search"],
  // 4 Paid Social
  [
    "?utm_source=facebook&utm_medium=paid_social&fbclid=IwAR0",
    "https://l.facebook.com/",
    "facebook",
    "Paid Social",
    "paid-social",
  ],
  ["?utm_source=fb&utm_medium=cpc", null, "facebook", "Paid Social", "paid-social"],
  ["?utm_source=ig&utm_medium=paid", "https://l.instagram.com/", "instagram", "Paid Social", "paid-social"],
  ["?utm_source=facebook-ads", null, "facebook", "Paid Social", "paid-social"],
  ["?utm_source=linkedin-ad", null, "linkedin", "Paid Social", "paid-social"],
  ["?utm_source=TikTokAds&utm_campaign=x", null, "tiktok", "Paid Social", "paid-social"],
  ["?ttclid=E.C.P.x", "https://www.tiktok.com/", "tiktok", "Paid Social", "paid-social"],
  ["?utm_source=pinterest&utm_medium=cpm", null, "pinterest", "Paid Social", "paid-social"],
  ["?utm_source=reddit&utm_medium=retargeting", null, "reddit", "Paid Social", "paid-social"],
  // 5 Paid Video
  ["?utm_source=youtube&utm_medium=cpv", null, "youtube", "Paid Video", "paid-video"],
  ["?utm_source=youtube&utm_medium=cpc", null, "youtube", "Paid Video", "paid-video"],
  ["?utm_source=youtube-ads", null, "youtube", "Paid Video", "paid-video"],
  ["?utm_source=twitch&utm_medium=paid", null, "twitch", "Paid Video", "paid-video"],
  // 6 Display
  ["?utm_source=gdn&utm_medium=display", null, "gdn", "Display", "display"],
  ["?utm_source=criteo&utm_medium=cpm", null, "criteo", "Display", "display"],
  ["?utm_source=partner&utm_medium=banner", null, "partner", "Display", "display"],
  ["?utm_source=partner&utm_medium=interstitial", null, "partner", "Display", "display"],
  // 7 Paid Other
  ["?utm_source=taboola&utm_medium=cpc", null, "taboola", "Paid Other", "paid-other"],
  ["?utm_source=outbrain&utm_medium=paid-content", null, "outbrain", "Paid Other", "paid-other"],
  ["?utm_medium=ppc", null, "(direct)", "Paid Other", "paid-other"],
  // 8 Organic Shopping
  ["", "https://www.amazon.co.uk/dp/B0", "amazon", "Organic Shopping", "organic-shopping"],
  ["", "https://www.ebay.de/itm/1", "ebay", "Organic Shopping", "organic-shopping"],
  [
    "?utm_source=partner&utm_campaign=summer_shopping",
    null,
    "partner",
    "Organic Shopping",
    "organic-shopping",
  ],
  ["", "https://shopping.google.com/", "google shopping", "Organic Shopping", "organic-shopping"],
  // 9 Organic Social
  ["", "https://t.co/abc", "x", "Organic Social", "organic-social"],
  ["?fbclid=IwAR0x", null, "facebook", "Organic Social", "organic-social"],
  ["?fbclid=IwAR0x", "https://lm.facebook.com/", "facebook", "Organic Social", "organic-social"],
  ["?fbclid=IwAR0x", "https://l.instagram.com/", "instagram", "Organic Social", "organic-social"],
  ["", "https://out.reddit.com/", "reddit", "Organic Social", "organic-social"],
  ["", "https://www.linkedin.com/feed/", "linkedin", "Organic Social", "organic-social"],
  ["", "android-app://com.linkedin.android/", "linkedin", "Organic Social", "organic-social"],
  ["", "https://de.pinterest.com/pin/1", "pinterest", "Organic Social", "organic-social"],
  ["?utm_source=brandname&utm_medium=Social-Media", null, "brandname", "Organic Social", "organic-social"],
  ["?utm_source=twitter", null, "x", "Organic Social", "organic-social"],
  ["", "https://news.ycombinator.com/item?id=1", "hackernews", "Organic Social", "organic-social"],
  // 10 Organic Video
  ["", "https://www.youtube.com/watch?v=1", "youtube", "Organic Video", "organic-video"],
  ["", "https://youtu.be/", "youtube", "Organic Video", "organic-video"],
  ["?utm_source=partner&utm_medium=video-embed", null, "partner", "Organic Video", "organic-video"],
  // 11 AI Assistants
  ["?utm_source=chatgpt.com", null, "chatgpt", "AI Assistants", "ai-assistants"],
  ["", "https://chatgpt.com/", "chatgpt", "AI Assistants", "ai-assistants"],
  ["", "https://www.perplexity.ai/search/x", "perplexity", "AI Assistants", "ai-assistants"],
  ["", "https://claude.ai/", "claude", "AI Assistants", "ai-assistants"],
  ["", "https://gemini.google.com/", "gemini", "AI Assistants", "ai-assistants"],
  ["", "https://copilot.microsoft.com/", "copilot", "AI Assistants", "ai-assistants"],
  // 12 Organic Search
  ["", "https://www.google.com/", "google", "Organic Search", "organic-search"],
  ["", "https://www.google.co.in/", "google", "Organic Search", "organic-search"],
  ["", "https://duckduckgo.com/", "duckduckgo", "Organic Search", "organic-search"],
  ["", "https://search.yahoo.com/", "yahoo", "Organic Search", "organic-search"],
  ["", "https://uk.search.yahoo.com/", "yahoo", "Organic Search", "organic-search"],
  ["", "https://yandex.com.tr/search", "yandex", "Organic Search", "organic-search"],
  ["", "https://www.ecosia.org/", "ecosia", "Organic Search", "organic-search"],
  [
    "",
    "android-app://com.google.android.googlequicksearchbox/",
    "google",
    "Organic Search",
    "organic-search",
  ],
  ["?utm_source=gmb&utm_medium=organic", null, "gmb", "Organic Search", "organic-search"],
  // 13 Email
  ["?utm_source=newsletter&utm_campaign=w47", null, "newsletter", "Email", "email"],
  ["?utm_source=klaviyo&utm_medium=email", null, "klaviyo", "Email", "email"],
  ["?utm_source=mailchimp&utm_medium=E-Mail", null, "mailchimp", "Email", "email"],
  ["?utm_medium=e%20mail", null, "(direct)", "Email", "email"],
  ["", "https://mail.google.com/mail/u/0/", "gmail", "Email", "email"],
  ["", "https://outlook.live.com/", "outlook", "Email", "email"],
  ["", "https://mail.yahoo.com/", "yahoo mail", "Email", "email"],
  // 14 to 17
  ["?utm_source=awin&utm_medium=affiliate", null, "awin", "Affiliates", "affiliates"],
  ["?utm_source=cj&utm_medium=affiliates", null, "cj", "Affiliates", "affiliates"],
  ["?utm_source=spotify&utm_medium=audio", null, "spotify", "Audio", "audio"],
  ["?utm_source=sms&utm_campaign=x", null, "sms", "SMS", "sms"],
  ["?utm_source=twilio&utm_medium=sms", null, "twilio", "SMS", "sms"],
  [
    "?utm_source=onesignal&utm_medium=web-push",
    null,
    "onesignal",
    "Mobile Push Notifications",
    "mobile-push",
  ],
  ["?utm_source=firebase", null, "firebase", "Mobile Push Notifications", "mobile-push"],
  ["?utm_source=app&utm_medium=notification", null, "app", "Mobile Push Notifications", "mobile-push"],
  // 18 Referral
  ["", "https://blog.partner.org/post", "blog.partner.org", "Referral", "referral"],
  ["", "https://www.nytimes.com/", "nytimes.com", "Referral", "referral"],
  ["?ref=partnerblog", null, "partnerblog", "Referral", "referral"],
  ["?source=podcast-7", null, "podcast-7", "Referral", "referral"],
  ["?utm_medium=referral", null, "(direct)", "Referral", "referral"],
  ["", "https://notwikipedia.org/", "notwikipedia.org", "Referral", "referral"],
  ["", "http://192.168.1.5:8080/x", "192.168.1.5", "Referral", "referral"],
  // 19 Direct
  ["", null, "(direct)", "Direct", "direct"],
  ["?utm_campaign=orphan", null, "(direct)", "Direct", "direct"],
  ["", "https://shop.example/cart", "(direct)", "Direct", "direct"],
  ["", "https://www.shop.example/", "(direct)", "Direct", "direct"],
  ["", "https://checkout.stripe.com/c/pay", "(direct)", "Direct", "direct"],
  ["", "https://www.paypal.com/checkoutnow", "(direct)", "Direct", "direct"],
  ["", "https://accounts.google.com/", "(direct)", "Direct", "direct"],
  ["?utm_source=shop.example", null, "(direct)", "Direct", "direct"],
  ["", "about:blank", "(direct)", "Direct", "direct"],
];

describe("a visit is put into the channel of the table", () => {
  test.each(VISITS)("%s from %s is %s, %s", (query, referrer, source, channel, rule) => {
    expect(at(query, referrer)).toEqual({ source, channel, rule, version: 1 });
  });

  test("every rule has a row here", () => {
    const shown = new Set(VISITS.map(([, , , channel]) => channel));
    expect(CHANNELS.filter((channel) => !shown.has(channel))).toEqual([]);
  });
});

describe("hosts match on label boundaries", () => {
  test.each([
    ["https://walmart.com/", "walmart"], // not t.co
    ["https://netflix.com/", "netflix"], // not x.com
    ["https://notfacebook.com/", "notfacebook.com"],
    ["https://facebook.com.evil.example/", "facebook.com.evil.example"],
    ["https://google.evil.io/", "google.evil.io"],
    ["https://mygoogle.com/", "mygoogle.com"],
    ["https://fedex.com/", "fedex.com"],
    ["https://paypal.evil.example/", "paypal.evil.example"],
    ["https://notstripe.com/", "notstripe.com"],
    ["https://notshop.example/", "notshop.example"],
    ["https://shop.example.org/", "shop.example.org"],
  ])("%s is %s", (referrer, source) => {
    expect(at("", referrer).source).toBe(source);
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "google",
    "fb",
    "facebook-ads",
    "cpc",
    "email",
    "shop",
    "__proto__",
    "constructor",
    "toString",
  ),
);
const anyReferrer = fc.option(
  fc.oneof(
    fc.webUrl(),
    fc.string({ maxLength: 200 }),
    fc.constantFrom("https://www.google.com/", "https://t.co/x", "android-app://com.google.android.gm/"),
  ),
);
const anyQuery = fc
  .dictionary(
    fc.constantFrom(
      "utm_source",
      "utm_medium",
      "utm_campaign",
      "source",
      "ref",
      "gclid",
      "fbclid",
      "ttclid",
      "x",
    ),
    anyText,
  )
  .map((fields) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) query.append(name, value.toWellFormed());
    return `?${query}`;
  });

describe("classification", () => {
  test("is total: anything has a source and a channel of the table", () => {
    fc.assert(
      fc.property(fc.oneof(anyQuery, anyText), anyReferrer, (query, referrer) => {
        const { source, channel } = at(query, referrer);
        expect(CHANNELS).toContain(channel);
        expect(source).not.toBe("");
        expect(source.length).toBeLessThanOrEqual(253);
      }),
      { numRuns: 2_000 },
    );
  });

  test("does not look at case", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VISITS.filter(([query]) => !query.includes("%"))),
        fc.func(fc.boolean()),
        ([query, referrer, source, channel, rule], up) => {
          const mix = (text: string) =>
            [...text].map((c, i) => (up(i) ? c.toUpperCase() : c.toLowerCase())).join("");
          const mixed = mix(query).replace(/(^|[?&])(\w+)=/g, (_, start, name) => `${start}${mix(name)}=`);
          expect(at(mixed, referrer && mix(referrer))).toEqual({ source, channel, rule, version: 1 });
        },
      ),
      { numRuns: 500 },
    );
  });

  test("never names the site's own hosts or a payment page as the source", () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}[a-z0-9]$/);
    const never = fc.constantFrom(
      DOMAIN,
      "stripe.com",
      "paypal.com",
      "paypal.co.uk",
      "klarna.com",
      "adyen.com",
    );
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), never, fc.boolean(), (labels, host, tagged) => {
        const name = [...labels, host].join(".");
        const answer = tagged ? at(`?utm_source=${name}`) : at("", `https://${name}/x`);
        expect(answer).toMatchObject({ source: "(direct)", channel: "Direct" });
      }),
    );
  });

  test("a source is one row however its accents are written", () => {
    for (const form of ["NFC", "NFD"]) {
      const { source } = at(`?utm_source=${encodeURIComponent("Bücher-Café".normalize(form))}`);
      expect(source).toBe("bücher-café".normalize("NFC"));
    }
  });

  test("a source never holds half a character, nor what cannot be seen, whatever the tag", () => {
    const tag = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.integer({ min: 95, max: 101 }).map((length) => `${"z".repeat(length)}😀😀`),
    );
    fc.assert(
      fc.property(tag, (text) => {
        const { source } = at(`?utm_source=${encodeURIComponent(text.toWellFormed())}`);
        expect(source.isWellFormed()).toBe(true);
        expect(source).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(source.length).toBeLessThanOrEqual(100);
      }),
    );
  });

  test.each(["(direct)", "(none)", "(other)", "(not set)"])(
    "a tag %s names a row of a report, no source",
    (tag) => {
      expect(at(`?utm_source=${tag}`)).toMatchObject({ source: "(direct)", channel: "Direct" });
      expect(at(`?utm_source=${tag}`, "https://news.example/").source).toBe("news.example");
    },
  );

  test.each([
    ["?utm_source=jane%40mail.example", null, "[email]"],
    ["?utm_source=amFuZUBtYWlsLmV4YW1wbGU%3D", null, "[email]"],
    ["?ref=%2B1%20415%20555%200123", null, "[phone]"],
    ["", "android-app://jane%40mail.example/", "[email]"],
    ["", "https://news.example./", "news.example"],
  ])("%s from %s has the source %s", (query, referrer, source) => {
    expect(at(query, referrer).source).toBe(source);
  });

  test("a known host keeps its source under any subdomain", () => {
    const label = fc
      .stringMatching(/^[a-z][a-z0-9]{0,6}$/)
      .filter((text) => !/mail|shopping|pay|accounts/.test(text));
    fc.assert(
      fc.property(
        label,
        fc.constantFrom(
          ["facebook.com", "facebook"],
          ["bing.com", "bing"],
          ["t.co", "x"],
          ["etsy.com", "etsy"],
        ),
        (prefix, [host, source]) => {
          expect(at("", `https://${prefix}.${host}/`).source).toBe(source);
        },
      ),
    );
  });

  test("everything but Direct and Unattributed may be credited", () => {
    expect(CHANNELS.filter((channel) => !isMarketing({ source: "x", channel }))).toEqual(["Direct"]);
    expect(isMarketing({ source: "(none)", channel: "Unattributed" })).toBe(false);
  });
});

describe("a touch keeps what arrived", () => {
  test("UTM values and click ids are unchanged but for URL decoding", () => {
    const touch = readTouch(
      "https://shop.example/?UTM_Source=Face%20Book&utm_medium=CPC&utm_term=&gclid=Ab_-9&fbclid=&ScCid=Z",
      "https://l.facebook.com/",
    );
    expect(touch.utm).toEqual({
      source: "Face Book",
      medium: "CPC",
      campaign: null,
      term: null,
      content: null,
    });
    expect(touch.clickIds).toEqual({ gclid: "Ab_-9", sccid: "Z" });
  });
});
