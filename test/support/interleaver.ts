import type { Dynamo } from "../../shared/storage/dynamo";

/** Thrown into an actor that dies: whatever it was about to do or to learn is lost to it. */
class Crash extends Error {
  override readonly name = "Crash";
}

interface Gate {
  readonly actor: Actor;
  open(): Promise<void>;
  kill(): void;
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

  /** Lets one waiting request pass, and waits until it is answered. */
  async pass(choice: number): Promise<void> {
    const [gate] = this.gates.splice(choice % this.gates.length, 1);
    await gate?.open();
    await settle();
  }

  /** Kills one process: before its request, or (`tookEffect`) after it took effect. */
  async crash(choice: number, tookEffect: boolean): Promise<void> {
    const gate = this.gates[choice % this.gates.length];
    if (!gate) return;
    gate.actor.alive = false;
    if (tookEffect) {
      this.gates.splice(this.gates.indexOf(gate), 1);
      await gate.open();
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
      gate.kill();
    }
    await settle();
  }

  private gated(dynamo: Dynamo, actor: Actor): Dynamo {
    const send = (...args: Parameters<Dynamo["send"]>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        if (!actor.alive) return reject(new Crash());
        this.gates.push({
          actor,
          kill: () => reject(new Crash()),
          open: async () => {
            try {
              const answer = await dynamo.send(...args);
              if (actor.alive) resolve(answer);
              else reject(new Crash());
            } catch (error) {
              reject(error);
            }
          },
        });
      });
    return new Proxy(dynamo, { get: (target, name) => (name === "send" ? send : Reflect.get(target, name)) });
  }
}

/** Long enough for every continuation that needs no further request. */
async function settle(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((resolve) => setImmediate(resolve));
}
