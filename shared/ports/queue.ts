/** A queue messages are put on. Sent is not done: a message may come twice, late or never (the sweeper sees to that). */
export interface Queue<Message> {
  /** `delaySeconds` at most 900. */
  send(message: Message, delaySeconds?: number): Promise<void>;
}
