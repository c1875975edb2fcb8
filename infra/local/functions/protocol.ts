/** What the local run and the worker threads say to each other. Events and results travel as JSON text, as in Lambda. */
export interface WorkerSettings {
  readonly codeDir: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
}

/** The worker's first word: its function is loaded, or has failed to load. */
export interface ReadyMessage {
  readonly ready: true;
}

export interface InvocationMessage {
  readonly id: string;
  readonly event: string;
  /** Epoch ms at which the invocation is given up. */
  readonly deadline: number;
}

export type ReplyMessage =
  | { readonly id: string; readonly payload: string }
  | { readonly id: string; readonly error: InvocationError };

/** The error of an invocation as Lambda reports it. */
export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}
