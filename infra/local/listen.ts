import type { Server } from "node:http";
import { LocalFailure } from "./failure";

/**
 * Lets a server listen on a port of the loopback address (0: any free one).
 * @throws LocalFailure when the port is taken
 */
export async function listen(
  server: Server,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = error.code === "EADDRINUSE";
      reject(
        taken
          ? new LocalFailure(
              `Port ${port} is taken. Stop what uses it, or start with another: PORT=${port + 1} npm start`,
            )
          : new LocalFailure(`Port ${port} cannot be used: ${error.message}.`),
      );
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
