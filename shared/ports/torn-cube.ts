/** A cube was replaced, and what it was made of deleted, between two reads of it. Reading anew finds the newer one. */
export class TornCubeError extends Error {
  override readonly name = "TornCubeError";
}

const ATTEMPTS = 4;

/** Reads, and reads all of it again while a cube was torn on the way: a newer cube is as good. */
export async function againWhileTorn<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof TornCubeError) || attempt === ATTEMPTS) throw error;
    }
  }
}
