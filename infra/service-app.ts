import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { ServiceStack } from "./service-stack";

/** The stack's id: its template is `<STACK>.template.json` whatever the stage. */
export const STACK = "AttributionAnalytics";

/** The stage whose stack is called like the stack's id; any other has its own, `AttributionAnalytics-<stage>`. */
const MAIN_STAGE = "production";

export interface ServiceAppOptions {
  /** Where the cloud assembly goes. */
  readonly outdir: string;
  /** Where the functions' bundles lie, one folder each. */
  readonly bundles: string;
}

/**
 * The CDK app of one stage, yet to be synthesised. It reads from the CDK context (`cdk deploy -c stage=test`): `stage`,
 * by default `production`, and `disposable`, with which (`true`) the tables go when the stack goes.
 */
export function createServiceApp({ outdir, bundles }: ServiceAppOptions): App {
  const app = new App({
    outdir,
    analyticsReporting: false,
    postCliContext: {
      // Says beside each function where its bundle lies: for the local run and for `sam local invoke`.
      "aws:cdk:enable-asset-metadata": true,
      // Findings of CloudFormation's own offline validator end the synthesis, as those of cdk-nag do.
      "@aws-cdk/core:validateAgainstDefaultRules": true,
    },
  });
  const stage = String(app.node.tryGetContext("stage") ?? MAIN_STAGE);
  new ServiceStack(app, STACK, {
    stackName: stage === MAIN_STAGE ? STACK : `${STACK}-${stage}`,
    description: "Attribution analytics: visits, conversions, the ad behind them, webhooks in and out",
    bundles,
    disposable: String(app.node.tryGetContext("disposable")) === "true",
  });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
