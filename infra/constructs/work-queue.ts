import { Duration } from "aws-cdk-lib";
import { EventSourceMapping, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { QueueSpec } from "../manifest";
import type { Alarms } from "./alarms";

export interface WorkQueueProps {
  readonly spec: QueueSpec;
  /** Of the function that works it off. */
  readonly workerTimeoutSeconds: number;
  readonly alarms: Alarms;
}

/** A queue, its dead-letter queue, the alarms over both, and the worker that is attached to it. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  private readonly spec: QueueSpec;

  constructor(scope: Construct, id: string, { spec, workerTimeoutSeconds, alarms }: WorkQueueProps) {
    super(scope, id);
    this.spec = spec;
    const protection = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    const deadLetters = new Queue(this, "DeadLetters", { ...protection, retentionPeriod: Duration.days(14) });
    this.queue = new Queue(this, "Queue", {
      ...protection,
      // Six attempts' worth of time: a throttled worker must not see its own message handed out again.
      visibilityTimeout: Duration.seconds(6 * workerTimeoutSeconds + spec.batchWindowSeconds),
      retentionPeriod: Duration.days(4),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: spec.maxReceives },
    });
    alarms.add(this, "LateAlarm", {
      meaning: spec.whenLate,
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period: Duration.minutes(1) }),
      threshold: spec.lateAfterSeconds,
      evaluationPeriods: 3,
    });
    alarms.add(this, "GivenUpAlarm", {
      meaning: spec.whenGivenUp,
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(1) }),
      threshold: 1,
      evaluationPeriods: 1,
    });
  }

  /** Has `worker` called with batches; it answers which messages to try again. */
  attach(worker: LambdaFunction): void {
    new EventSourceMapping(this, "Worker", {
      target: worker,
      eventSourceArn: this.queue.queueArn,
      batchSize: this.spec.batchSize,
      maxBatchingWindow: Duration.seconds(this.spec.batchWindowSeconds),
      reportBatchItemFailures: true,
    });
  }
}
