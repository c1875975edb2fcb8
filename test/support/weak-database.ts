import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "../../shared/storage/dynamo";

type Item = Record<string, unknown>;
type Key = { pk: string; sk: string };
interface Command {
  readonly input: Record<string, unknown>;
}

/** A request carried out in steps; between them other processes' requests take place. `choice` decides what happens. */
export type Stepwise = (command: unknown, options: unknown, choice: number) => AsyncGenerator<void, unknown>;

/**
 * The weakest database the documentation of DynamoDB allows, over a real engine that is stronger:
 * - a transaction takes effect at once for writers, but reads may see each of its items old or new until it is answered
 *   ("read-committed" between a transaction and a query);
 * - a query is no snapshot: its later items may be read after other requests that its earlier items came before;
 * - the client sends a request again whose answer was lost, so that it takes effect twice, the second time later.
 * What was answered before a consistent read began is seen by it; that, and conditions, is all that may be relied on.
 */
export function weakDatabase(dynamo: Dynamo): Stepwise {
  /** What reads still see of items a transaction has changed; undefined where there was none. */
  const lagging = new Map<string, { table: string; key: Key; old: Item | undefined }>();
  const nameOf = (table: string, { pk, sk }: Key) => `${table} ${pk} ${sk}`;

  async function query(command: Command, options: unknown): Promise<Item[]> {
    const send = dynamo.send as (...args: unknown[]) => Promise<{ Items?: Item[] }>;
    const { Items = [] } = await send.call(dynamo, command, options);
    const { TableName, IndexName, ExpressionAttributeValues } = command.input;
    const values = ExpressionAttributeValues as Record<string, string>;
    if (IndexName) return Items;
    const seen = new Map(Items.map((item) => [String(item.sk), item]));
    for (const { table, key, old } of lagging.values()) {
      if (table !== TableName || key.pk !== values[":pk"] || !isInRange(key.sk, values)) continue;
      if (old) seen.set(key.sk, old);
      else seen.delete(key.sk);
    }
    return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
  }

  async function* tornQuery(command: Command, options: unknown, choice: number) {
    const early = await query(command, options);
    if (choice % 2) return { Items: early };
    yield;
    const late = await query(command, options);
    const keys = [...new Set([...early, ...late].map(({ sk }) => String(sk)))].sort();
    const cut = keys[choice % (keys.length + 1)] ?? "~";
    return {
      Items: [...early.filter(({ sk }) => String(sk) < cut), ...late.filter(({ sk }) => String(sk) >= cut)],
    };
  }

  async function* slowlyVisible(command: Command, options: unknown, choice: number) {
    const targets = (command.input.TransactItems as Record<string, Item>[]).flatMap((item) => {
      const [write] = Object.values(item) as { TableName: string; Key?: Key; Item?: Key }[];
      const key = write?.Key ?? write?.Item;
      return write && key && !item.ConditionCheck
        ? [{ table: write.TableName, key: { pk: key.pk, sk: key.sk } }]
        : [];
    });
    const olds = await Promise.all(targets.map(({ table, key }) => read(table, key)));
    const answer = await dynamo.send(...([command, options] as unknown as Parameters<Dynamo["send"]>));
    const mine: string[] = [];
    targets.forEach(({ table, key }, i) => {
      const name = nameOf(table, key);
      lagging.delete(name);
      if (((choice * 2_654_435_761) >>> (i % 24)) % 3 === 0) return;
      lagging.set(name, { table, key, old: olds[i] });
      mine.push(name);
    });
    try {
      yield;
      yield; // Twice as long as other requests: that is where the trouble is.
    } finally {
      for (const name of mine) lagging.delete(name);
    }
    return answer;
  }

  async function* sometimesTwice(command: Command, options: unknown, choice: number) {
    const { TableName, Key, Item } = command.input as { TableName: string; Key?: Key; Item?: Key };
    const key = Key ?? Item;
    if (key) lagging.delete(nameOf(TableName, key)); // A write waits for the transaction before it.
    const send = () => dynamo.send(...([command, options] as unknown as Parameters<Dynamo["send"]>));
    const answer = await send();
    if (choice % 5) return answer;
    yield;
    return send();
  }

  async function read(table: string, key: Key): Promise<Item | undefined> {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
    return Item;
  }

  return (command, options, choice) => {
    const { name } = (command as object).constructor;
    const steps =
      name === "QueryCommand" ? tornQuery : name === "TransactWriteCommand" ? slowlyVisible : sometimesTwice;
    return steps(command as Command, options, choice);
  };
}

function isInRange(sk: string, values: Record<string, string>): boolean {
  const { ":from": from = "", ":to": to = "~", ":prefix": prefix = "" } = values;
  return sk >= from && sk <= to && sk.startsWith(prefix);
}
