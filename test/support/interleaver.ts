import type { Dynamo } from "../../shared/storage/dynamo";
import type { Stepwise } from "./weak-database";

/** Thrown into an actor that dies: whatever it was about to do or to learn is lost to it. */
class Crash extends Error {
  override readonly name = "Crash";
}

/** One choice decides both who is next and what the database makes of it; the second takes what the first leaves over. */
const SPREAD = 16;

interface Gate {
  readonly actor: Actor;
  /** `choice` decides what the database makes of the request, where it may do several things. */
  open(choice: number): Promise<void>;
  kill(): Promise<void>;
}

/** One process: everything it sends to the database waits at a gate until the interleaver lets it pass. */
export class Actor {
  alive = true;
  done = false;
  constructor(readonly startedAt: number) {}
}

/**
 * Runs processes against a real engine one database request at a time, in an order somebody else chooses, and kills
 * them between requests, or after a request took effect but before its answer came.
 */
export class Interleaver {
  private readonly gates: Gate[] = [];
  private readonly running = new Set<Actor>();

  /** @param database how requests are carried out; by default each at once, as the engine does it */
  constructor(private readonly database?: Stepwise) {}

  /** Starts a process. `work` gets a client of its own. Resolves with whether it finished. */
  start(dynamo: Dynamo, now: number, work: (dynamo: Dynamo) => Promise<unknown>): Promise<boolean> {
    const actor = new Actor(now);
    this.running.add(actor);
    return work(this.gated(dynamo, actor))
      .then(
        () => true,
        (error: unknown) => {
          if (error instanceof Crash || !actor.alive) return false;
          throw error;
        },
      )
      .finally(() => {
        actor.done = true;
        this.running.delete(actor);
      });
  }

  get waiting(): number {
    return this.gates.length;
  }

  /**
   * Lets one process' requests pass, `most` of them at most, while all others wait. Runs of one process are what finds
   * trouble: one stands still where it hurts while another goes all its way.
   */
  async pass(choice: number, most = 1): Promise<void> {
    const actor = this.gates[choice % this.gates.length]?.actor;
    for (let i = 0; i < most; i++) {
      const at = this.gates.findIndex((gate) => gate.actor === actor);
      const [gate] = at < 0 ? [] : this.gates.splice(at, 1);
      if (!gate) return;
      await gate.open(Math.floor(choice / SPREAD) + i);
      await settle();
    }
  }

  /** Kills one process: before its request, or (`tookEffect`) after it took effect. */
  async crash(choice: number, tookEffect: boolean): Promise<void> {
    const gate = this.gates[choice % this.gates.length];
    if (!gate) return;
    gate.actor.alive = false;
    if (tookEffect) {
      this.gates.splice(this.gates.indexOf(gate), 1);
      await gate.open(Math.floor(choice / SPREAD));
    }
    await this.bury();
  }

  /** Kills every process that began before `since`, as the platform kills what runs too long. */
  async timeOut(since: number): Promise<void> {
    for (const actor of this.running) if (actor.startedAt < since) actor.alive = false;
    await this.bury();
  }

  /** Lets everything that waits pass, in order, until nobody is left. */
  async drain(): Promise<void> {
    await settle();
    while (this.gates.length > 0) await this.pass(0);
  }

  private async bury(): Promise<void> {
    for (const gate of this.gates.filter((gate) => !gate.actor.alive)) {
      this.gates.splice(this.gates.indexOf(gate), 1);
      await gate.kill();
    }
    await settle();
  }

  private gated(dynamo: Dynamo, actor: Actor): Dynamo {
    const steps = this.database ?? atOnce(dynamo);
    const send = (command: unknown, options: unknown): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (!actor.alive) return reject(new Crash());
        let request: AsyncGenerator<void, unknown> | undefined;
        const gate: Gate = {
          actor,
          kill: async () => {
            await request?.return(undefined);
            reject(new Crash());
          },
          open: async (choice) => {
            try {
              request ??= steps(command, options, choice);
              const { done, value } = await request.next();
              if (!actor.alive) await gate.kill();
              else if (done) resolve(value);
              else this.gates.push(gate);
            } catch (error) {
              reject(error);
            }
          },
        };
        this.gates.push(gate);
      });
    return new Proxy(dynamo, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  }
}

const atOnce = (dynamo: Dynamo): Stepwise =>
  async function* (command, options) {
    yield* []; // One step.
    return await dynamo.send(...([command, options] as unknown as Parameters<Dynamo["send"]>));
  };

/** Long enough for every continuation that needs no further request. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
}
