import * as z from "zod";
import { toIso } from "../../../shared/domain/instant";
import {
  LINK_LINES,
  LINK_STATUSES,
  OUTCOMES,
  PER_PAGE,
  type Receipt,
  SHOWN,
} from "../../../shared/domain/receipts/receipt";
import { findReceivingWebhook } from "../../../shared/storage/conversion/manage-receiving-webhooks";
import { type Route, reading } from "../route";
import { named, path, tableOf } from "./receiving-webhooks";

const PAGES = SHOWN / PER_PAGE;

const receiptView = z.object({
  id: z.string(),
  outcome: z.enum(OUTCOMES),
  time: z.iso.datetime(),
  payload_preview: z
    .string()
    .describe("At most 2 KB, secrets hidden; of a body that could not be read its beginning."),
  event_id: z.string().nullable().describe("The event that counts: of a duplicate the first one."),
  matched_by: z.enum(["visitor_id", "click_id", "email"]).nullable(),
  link_status: z.enum(LINK_STATUSES).nullable().describe("Null for a delivery without existing_email."),
  link_line: z.string().nullable().describe("The same for people, such as `Existing email not found`."),
});

const view = (receipt: Receipt): z.input<typeof receiptView> => ({
  id: receipt.id,
  outcome: receipt.outcome,
  time: toIso(receipt.at),
  payload_preview: receipt.preview,
  event_id: receipt.event,
  matched_by: receipt.matchedBy,
  link_status: receipt.link,
  link_line: receipt.link && LINK_LINES[receipt.link],
});

/** Contract "Receiving webhook", recent deliveries: the last 25 receipts, 5 per page. */
export const receiptRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path: `${path}/{webhook_id}/receipts`,
    summary: `The last ${SHOWN} deliveries to a receiving webhook, newest first, ${PER_PAGE} a page`,
    query: z.object({
      page: z
        .string()
        .regex(new RegExp(`^[1-${PAGES}]$`), `must be a whole number from 1 to ${PAGES}`)
        .default("1"),
    }),
    answer: z.object({ receipts: z.array(receiptView), page: z.int(), pages: z.int() }),
    async handle(call) {
      const { site, id } = await named(call);
      await findReceivingWebhook(tableOf(call), site, id);
      const page = Number(call.query.page);
      const receipts = await call.receipts.latest(site, id);
      return {
        receipts: receipts.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(view),
        page,
        pages: Math.ceil(receipts.length / PER_PAGE),
      };
    },
  }),
];
