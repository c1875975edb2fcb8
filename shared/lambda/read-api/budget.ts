import { ApiError } from "../../domain/errors";
import { SECOND } from "../../domain/instant";

/** The longest a query may take (contract: "Limits"). */
export const QUERY_BUDGET_MS = 10 * SECOND;

/**
 * The result of `work`, or QUERY_TIMEOUT once `budgetMs` have passed, whether or not `work` heeds the signal. The
 * controller's signal is aborted then, which cancels the SDK calls it was given to.
 */
export async function withinBudget<Result>(
  budgetMs: number,
  controller: AbortController,
  work: () => Promise<Result>,
): Promise<Result> {
  const { signal } = controller;
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    controller.abort(new ApiError("QUERY_TIMEOUT"));
    expiry.reject(signal.reason);
  }, budgetMs);
  try {
    return await Promise.race([work(), expiry.promise]);
  } catch (error) {
    throw signal.aborted ? signal.reason : error; // a cancelled call may be heard of first
  } finally {
    clearTimeout(timer);
  }
}
