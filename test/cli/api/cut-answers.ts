import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** A line to a server that breaks as soon as an answer comes back: what was asked is done, and nobody hears of it. */
export async function cutAnswers(target: string): Promise<{ readonly url: string; close(): void }> {
  const { port, hostname } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.once('data', () => {
      client.destroy();
      upstream.destroy();
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, close: () => server.close() };
}
