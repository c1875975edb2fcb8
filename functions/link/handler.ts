import type { SettleLink } from "../../shared/application/settle-link";
import { log } from "../../shared/lambda/log";
import type { QueueMessage } from "../../shared/lambda/queue";
import { linkEntrySchema } from "../../shared/ports/links";

/**
 * Looks up the people of pending links, each message by itself. Answers the ids of those to try again; what they are
 * about is also found by the sweeper, however often a message fails.
 */
export const linkWorker =
  (settle: SettleLink) =>
  async (messages: readonly QueueMessage[]): Promise<readonly string[]> => {
    const failed = await Promise.all(
      messages.map(async ({ id, body }) => {
        const parsed = linkEntrySchema.safeParse(body);
        if (!parsed.success) {
          log.error("dropped a message that names no event", { messageId: id });
          return [];
        }
        try {
          await settle(parsed.data);
          return [];
        } catch (error) {
          log.error("could not look up a link", { ...parsed.data, error: error as Error });
          return [id];
        }
      }),
    );
    return failed.flat();
  };
