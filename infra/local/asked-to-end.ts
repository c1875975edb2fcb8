/** One press may arrive several times: from the terminal, and from each npm on the way, which hands it on. */
const ONE_PRESS_MS = 300;

interface Asked {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): unknown;
}

/** Settles at the first Ctrl-C or SIGTERM; the second press ends the process at once. */
export function untilAskedToEnd(process: Asked, now: () => number): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const asked = () => {
      first ??= now();
      resolve();
      if (now() - first > ONE_PRESS_MS) process.exit(130);
    };
    process.on("SIGINT", asked);
    process.on("SIGTERM", asked);
  });
}
