import { LocalFailure } from "../failure";

/** A resource as CloudFormation has it, before its intrinsics are resolved. */
export interface RawResource {
  readonly Type: string;
  readonly Properties?: Record<string, unknown>;
  readonly Metadata?: Record<string, unknown>;
  readonly Condition?: string;
}

export interface RawTemplate {
  readonly Parameters?: Record<string, { readonly Default?: unknown }>;
  readonly Mappings?: Record<string, Record<string, Record<string, unknown>>>;
  readonly Conditions?: Record<string, unknown>;
  readonly Resources: Record<string, RawResource>;
}

/** What `Ref` and `Fn::GetAtt` answer for a resource; undefined for an attribute that is not known here. */
export interface Addresses {
  ref(logicalId: string, resource: RawResource): string | undefined;
  attribute(logicalId: string, resource: RawResource, name: string): string | undefined;
}

/** Values of the pseudo parameters (`AWS::Region`, ...). */
export type PseudoParameters = Readonly<Record<string, string>>;

const NO_VALUE = Symbol("AWS::NoValue");
type Evaluate = (argument: unknown) => unknown;

/**
 * Evaluates CloudFormation's intrinsic functions, as CloudFormation would at deployment. What cannot be resolved is a
 * LocalFailure that names it; nothing is guessed.
 */
export class Intrinsics {
  constructor(
    private readonly template: RawTemplate,
    private readonly pseudo: PseudoParameters,
    private readonly addresses: Addresses,
  ) {}

  /** The value with every intrinsic in it replaced. */
  resolve(value: unknown): unknown {
    const resolved = this.evaluate(value);
    return resolved === NO_VALUE ? undefined : resolved;
  }

  /** Whether a resource with this `Condition` exists. */
  holds(condition: string | undefined): boolean {
    if (condition === undefined) return true;
    const expression = this.template.Conditions?.[condition];
    if (expression === undefined) throw new LocalFailure(`The template names no condition ${condition}.`);
    return this.evaluate(expression) === true;
  }

  private readonly functions: Readonly<Record<string, Evaluate>> = {
    Ref: (name) => this.ref(String(name)),
    Condition: (name) => this.holds(String(name)),
    "Fn::GetAtt": (path) => this.attribute(path),
    "Fn::Join": (argument) => {
      const [separator, parts] = this.list(argument);
      return this.list(parts).map(String).join(String(separator));
    },
    "Fn::Sub": (argument) => this.substitute(argument),
    "Fn::Select": (argument) => {
      const [index, parts] = this.list(argument);
      return this.list(parts)[Number(index)];
    },
    "Fn::Split": (argument) => {
      const [separator, text] = this.list(argument);
      return String(text).split(String(separator));
    },
    "Fn::If": (argument) => {
      const [condition, yes, no] = argument as [string, unknown, unknown];
      return this.evaluate(this.holds(condition) ? yes : no);
    },
    "Fn::Equals": (argument) => {
      const [left, right] = this.list(argument);
      return left === right;
    },
    "Fn::Not": (argument) => !this.list(argument)[0],
    "Fn::And": (argument) => this.list(argument).every(Boolean),
    "Fn::Or": (argument) => this.list(argument).some(Boolean),
    "Fn::FindInMap": (argument) => {
      const [map, first, second] = this.list(argument).map(String);
      const found = this.template.Mappings?.[map ?? ""]?.[first ?? ""]?.[second ?? ""];
      if (found === undefined)
        throw new LocalFailure(`The template maps nothing at ${map}/${first}/${second}.`);
      return found;
    },
    "Fn::Base64": (text) => Buffer.from(String(this.evaluate(text))).toString("base64"),
    "Fn::ToJsonString": (value) => JSON.stringify(this.resolve(value)),
  };

  private evaluate(value: unknown): unknown {
    if (Array.isArray(value))
      return value.map((item) => this.evaluate(item)).filter((item) => item !== NO_VALUE);
    if (value === null || typeof value !== "object") return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only) {
      const [name, argument] = only;
      const intrinsic = this.functions[name];
      if (intrinsic) return intrinsic(argument);
      if (name.startsWith("Fn::"))
        throw new LocalFailure(`The template uses ${name}, which the local run does not know.`);
    }
    return Object.fromEntries(
      entries.map(([name, item]) => [name, this.evaluate(item)]).filter(([, item]) => item !== NO_VALUE),
    );
  }

  private list(argument: unknown): unknown[] {
    const items = this.evaluate(argument);
    if (!Array.isArray(items))
      throw new LocalFailure("The template passes an intrinsic something that is no list.");
    return items;
  }

  private ref(name: string): unknown {
    if (name === "AWS::NoValue") return NO_VALUE;
    const pseudo = this.pseudo[name];
    if (pseudo !== undefined) return pseudo;
    const parameter = this.template.Parameters?.[name];
    if (parameter) return parameter.Default ?? "";
    const resource = this.template.Resources[name];
    const address = resource && this.addresses.ref(name, resource);
    if (address === undefined)
      throw new LocalFailure(`The template refers to ${name}, which the local run does not know.`);
    return address;
  }

  private attribute(path: unknown): string {
    const dotted = Array.isArray(path)
      ? path.map((part) => String(this.evaluate(part))).join(".")
      : String(path);
    const at = dotted.indexOf(".");
    const name = dotted.slice(0, at);
    const resource = this.template.Resources[name];
    const value = resource && this.addresses.attribute(name, resource, dotted.slice(at + 1));
    if (value === undefined)
      throw new LocalFailure(`The template asks for ${dotted}, which the local run does not know.`);
    return value;
  }

  private substitute(argument: unknown): string {
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      const own = (variables as Record<string, unknown> | undefined)?.[name];
      if (own !== undefined) return String(this.evaluate(own));
      return String(name.includes(".") ? this.attribute(name) : this.ref(name));
    });
  }
}
