import { Logger } from "@aws-lambda-powertools/logger";

/** Structured logs. Never log bodies, e-mails, phones, names, secrets or visitor ids. */
export const log = new Logger();
