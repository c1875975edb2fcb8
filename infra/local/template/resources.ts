import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { LocalFailure, messageOf } from "../failure";
import { ACCOUNT, LocalAddresses, type Place } from "./addresses";
import { Intrinsics, type RawResource, type RawTemplate } from "./intrinsics";
import type { ServiceModel } from "./model";

/** Types that change nothing about what the service answers on one machine. */
const IRRELEVANT = new Set([
  "AWS::CDK::Metadata",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Logs::ResourcePolicy",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
  "AWS::SNS::Subscription",
  "AWS::SQS::QueuePolicy",
  "AWS::Scheduler::ScheduleGroup",
  "AWS::KMS::Alias",
  "AWS::Lambda::EventInvokeConfig",
]);

/** The resources of a synthesised template, their properties resolved for this machine as they are asked for. */
export class Resources {
  private readonly addresses: LocalAddresses;
  private readonly intrinsics: Intrinsics;
  private readonly played = new Set<string>();

  /** @param file where the template lies; its assets lie beside it */
  constructor(
    private readonly template: RawTemplate,
    private readonly file: string,
    place: Place,
  ) {
    this.addresses = new LocalAddresses(place, (value) => this.intrinsics.resolve(value));
    const stack = basename(file, ".template.json");
    const pseudo = {
      "AWS::Region": place.region,
      "AWS::AccountId": ACCOUNT,
      "AWS::Partition": "aws",
      "AWS::URLSuffix": "amazonaws.com",
      "AWS::StackName": stack,
      "AWS::StackId": `arn:aws:cloudformation:${place.region}:${ACCOUNT}:stack/${stack}/local`,
    };
    this.intrinsics = new Intrinsics(template, pseudo, this.addresses);
  }

  /**
   * Every resource of a type, made into what `toModel` says.
   * @throws LocalFailure naming the resource that does not fit the schema or that `toModel` refuses
   */
  each<Properties, Model>(
    type: string,
    schema: z.ZodType<Properties>,
    toModel: (properties: Properties, logicalId: string, resource: RawResource) => Model,
  ): Model[] {
    this.played.add(type);
    return Object.entries(this.template.Resources)
      .filter(([, resource]) => resource.Type === type && this.intrinsics.holds(resource.Condition))
      .map(([logicalId, resource]) => {
        try {
          const properties = schema.parse(this.intrinsics.resolve(resource.Properties ?? {}));
          return toModel(properties, logicalId, resource);
        } catch (error) {
          const reason =
            error instanceof z.ZodError ? z.prettifyError(error).replace(/\s+/g, " ") : messageOf(error);
          throw new LocalFailure(`The template's ${logicalId} (${type}) cannot run locally: ${reason}`);
        }
      });
  }

  name(logicalId: string, resource: RawResource): string {
    return this.addresses.name(logicalId, resource);
  }

  arn(logicalId: string, resource: RawResource): string {
    const arn = this.addresses.arn(logicalId, resource);
    if (arn === undefined) throw new LocalFailure(`${resource.Type} has no address locally.`);
    return arn;
  }

  /** The function behind its name, its ARN, or the gateway's address of it. */
  functionArn(address: string): string {
    const arn = /arn:aws:lambda:[^:]*:[^:]*:function:[^:/]+/.exec(address)?.[0];
    if (arn) return arn;
    const entry = Object.entries(this.template.Resources).find(
      ([logicalId, resource]) =>
        resource.Type === "AWS::Lambda::Function" && this.addresses.name(logicalId, resource) === address,
    );
    if (!entry) throw new LocalFailure(`it calls ${address}, which is no function of the template.`);
    return this.arn(...entry);
  }

  /** The directory behind a function's code: from the asset metadata, else from the manifest of assets by its key. */
  codeDir(resource: RawResource, key: string | undefined): string {
    const assembly = dirname(this.file);
    const path =
      resource.Metadata?.["aws:asset:path"] ?? this.assetPaths()[(key ?? "").replace(/\.zip$/, "")];
    if (typeof path !== "string")
      throw new LocalFailure(`no asset holds its code (${key ?? "inline code"}).`);
    return resolve(assembly, path);
  }

  private assetPaths(): Record<string, string | undefined> {
    const manifest = join(dirname(this.file), `${basename(this.file, ".template.json")}.assets.json`);
    if (!existsSync(manifest)) return {};
    const { files } = assetManifest.parse(JSON.parse(readFileSync(manifest, "utf8")));
    return Object.fromEntries(Object.entries(files).map(([hash, file]) => [hash, file.source.path]));
  }

  /** What nobody has asked for so far and what matters. */
  unplayed(): ServiceModel["unplayed"] {
    return Object.entries(this.template.Resources)
      .filter(([, { Type }]) => !this.played.has(Type) && !IRRELEVANT.has(Type))
      .map(([logicalId, { Type }]) => ({ logicalId, type: Type }));
  }
}

const assetManifest = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.string().optional() }) })),
});
