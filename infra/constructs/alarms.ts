import { Stack } from "aws-cdk-lib";
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";

export interface ServiceAlarmProps extends Pick<AlarmProps, "threshold" | "evaluationPeriods"> {
  /** What the firing means for customers: a whole sentence, for somebody woken by it. */
  readonly meaning: string;
  readonly metric: IMetric;
}

/** Where every alarm of the service reports; subscribe a pager or an address to its topic. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, "Topic", { enforceSSL: true });
    // A topic with a policy of its own loses the default one, which let the account's alarms in.
    this.topic.grantPublish(
      new ServicePrincipal("cloudwatch.amazonaws.com", {
        conditions: { StringEquals: { "aws:SourceAccount": Stack.of(this).account } },
      }),
    );
  }

  /** Fires at or above `threshold`; no data is good news. */
  add(scope: Construct, id: string, { meaning, ...props }: ServiceAlarmProps): void {
    const alarm = new Alarm(scope, id, {
      ...props,
      alarmDescription: meaning,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
