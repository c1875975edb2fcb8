import type { Statement } from "../template/model";

/** Whether a role may take an IAM action (`dynamodb:GetItem`) on a resource (its ARN). */
export type Allows = (action: string, resource: string) => boolean;

/** Judges as IAM does: an explicit denial wins, and what no statement allows is denied. Answers are remembered. */
export function permissions(statements: readonly Statement[]): Allows {
  const compiled = statements.map((statement) => ({
    denies: statement.effect === "Deny",
    actions: statement.actions.map((action) => wildcard(action, "i")), // IAM compares actions without regard to case
    resources: statement.resources.map((resource) => wildcard(resource)),
  }));
  const remembered = new Map<string, boolean>();
  return (action, resource) => {
    const question = `${action} ${resource}`;
    const known = remembered.get(question);
    if (known !== undefined) return known;
    const applying = compiled.filter(
      (statement) =>
        statement.actions.some((pattern) => pattern.test(action)) &&
        statement.resources.some((pattern) => pattern.test(resource)),
    );
    const allowed = applying.length > 0 && !applying.some((statement) => statement.denies);
    remembered.set(question, allowed);
    return allowed;
  };
}

function wildcard(pattern: string, flags = ""): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`, flags);
}
