import { type CfnElement, Stack } from "aws-cdk-lib";

/** Names that say nothing: what CDK calls the one thing inside a construct. */
const SILENT = new Set(["Resource", "Default"]);

/**
 * The logical id of an element: its construct path run together, without CDK's hash (`TrafficQueue/Queue/Policy` is
 * `TrafficQueuePolicy`), so that templates, consoles and `sam local invoke OverviewFunction` read well. Two elements
 * that came out alike would fail the synthesis.
 */
export function readableLogicalId(element: CfnElement): string {
  const scopes = element.node.scopes;
  const path = scopes.slice(scopes.indexOf(Stack.of(element)) + 1).map((scope) => scope.node.id);
  return path
    .filter((name) => !SILENT.has(name))
    .reduce((id, name) => (id.endsWith(name) ? id : id + name), "")
    .replace(/[^A-Za-z0-9]/g, "");
}
