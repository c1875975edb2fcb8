import type { Stack } from "aws-cdk-lib";
import { CfnTable } from "aws-cdk-lib/aws-dynamodb";
import { CfnQueue } from "aws-cdk-lib/aws-sqs";
import { synthesise } from "./synthesis";

describe("the checks of the template", () => {
  it("find nothing: neither AWS Solutions' rules nor CloudFormation's own", () => {
    expect(synthesise().findings).toEqual([]);
  });

  it("would find a queue that loses what fails (cdk-nag)", () => {
    const { findings } = synthesise((stack) => {
      new CfnQueue(stack, "Careless");
    });
    expect(findings).toContainEqual(expect.stringMatching(/^AwsSolutions-SQS3/));
  });

  it.each([
    ["a misspelt property", "BilingMode", "PAY_PER_REQUEST", /'BilingMode' was unexpected/],
    ["a value that does not exist", "BillingMode", "PER_REQUEST", /'PER_REQUEST' is not one of/],
    ["a reference to nothing", "TableName", { Ref: "Nothing" }, /'Nothing' is not one of/],
  ])("would find %s (CloudFormation)", (_what, property, value, message) => {
    const { findings } = synthesise((stack) => tableIn(stack).addPropertyOverride(property, value));
    expect(findings).toContainEqual(expect.stringMatching(message));
  });
});

function tableIn(stack: Stack): CfnTable {
  const table = stack.node.findAll().find((construct) => construct instanceof CfnTable);
  if (!(table instanceof CfnTable)) throw new Error("the stack has no table");
  return table;
}
