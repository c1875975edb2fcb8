import fc from "fast-check";
import { permissions } from "../../infra/local/aws/permissions";

const table = "arn:aws:dynamodb:eu-west-1:000000000000:table/T";
const allow = (actions: string[], resources: string[]) => ({ effect: "Allow" as const, actions, resources });

test("what no statement allows is denied", () => {
  const allows = permissions([allow(["dynamodb:GetItem"], [table])]);
  expect(allows("dynamodb:GetItem", table)).toBe(true);
  expect(allows("dynamodb:GetItem", `${table}/index/due`)).toBe(false);
  expect(allows("dynamodb:GetItem", `${table}2`)).toBe(false);
  expect(allows("dynamodb:PutItem", table)).toBe(false);
  expect(permissions([])("dynamodb:GetItem", table)).toBe(false);
});

test("wildcards fit as in IAM, and everything else is literal", () => {
  const allows = permissions([allow(["dynamodb:Get*"], ["arn:aws:dynamodb:*:*:table/T?"])]);
  expect(allows("dynamodb:getitem", `${table}1`)).toBe(true);
  expect(allows("dynamodb:GetItem", table)).toBe(false);
  expect(permissions([allow(["a:b"], ["x.y"])])("a:b", "xzy")).toBe(false);
});

test("an explicit denial wins, in any order of statements", () => {
  const statements = [
    allow(["*"], ["*"]),
    { effect: "Deny" as const, actions: ["dynamodb:DeleteItem"], resources: [table] },
    allow(["dynamodb:*"], [table]),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(statements, { minLength: 3 }), (shuffled) => {
      expect(permissions(shuffled)("dynamodb:DeleteItem", table)).toBe(false);
      expect(permissions(shuffled)("dynamodb:PutItem", table)).toBe(true);
    }),
  );
});
