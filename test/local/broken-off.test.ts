import { once } from "node:events";
import { connect } from "node:net";
import { openGateway } from "../../infra/local/gateway/gateway";

test("a request whose caller goes away in the middle of the body is none, however readable the first half", async () => {
  const bodies: unknown[] = [];
  const gateway = await openGateway(0);
  gateway.serve({
    routes: [{ key: "$default", functionArn: "fn", timeoutMs: 1_000 }],
    pages: {},
    invoke: async (_, event) => {
      bodies.push((event as { body?: string }).body);
      return { ok: true, payload: { statusCode: 204 } };
    },
  });
  const post = (length: number) =>
    `POST / HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"a":1}`;
  const send = async (text: string) => {
    const socket = connect(gateway.port, "127.0.0.1");
    socket.resume().end(text);
    await once(socket, "close");
  };
  try {
    await send(post(100));
    await send(post(7));
    expect(bodies).toEqual(['{"a":1}']);
  } finally {
    await gateway.close();
  }
});
