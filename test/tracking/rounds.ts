import type { Dynamo } from "../../shared/storage/dynamo";

/**
 * A client that counts round trips made one after the other: a command's round is one more than the highest of those
 * that had ended when it began. `rounds()` answers the highest and starts anew.
 */
export function countRounds(dynamo: Dynamo): { dynamo: Dynamo; rounds(): number } {
  let ended = 0;
  const send = async (...args: Parameters<Dynamo["send"]>) => {
    const round = ended + 1;
    try {
      return await dynamo.send(...args);
    } finally {
      ended = Math.max(ended, round);
    }
  };
  return {
    dynamo: new Proxy(dynamo, {
      get: (target, property) => (property === "send" ? send : Reflect.get(target, property)),
    }),
    rounds() {
      const highest = ended;
      ended = 0;
      return highest;
    },
  };
}
