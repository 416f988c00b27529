import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw connection to a server: text is sent as it is, and everything received is kept. */
export class Wire {
  #heard = '';
  readonly #closed: Promise<unknown>;

  private constructor(private readonly socket: Socket) {
    this.#closed = once(socket, 'close');
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#heard += text;
    });
    // A reset ends the connection like any other end; `closed` returns what was received until then.
    socket.on('error', () => {});
  }

  static async to(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new Wire(socket);
  }

  send(text: string | Buffer): this {
    this.socket.write(text);
    return this;
  }

  /** Everything received, as soon as it matches. Fails when the connection closes before. */
  async hears(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#heard)) {
      if (this.socket.closed) throw new Error(`Closed before ${pattern}:\n${this.#heard}`);
      await Promise.race([once(this.socket, 'data'), this.#closed]);
    }
    return this.#heard;
  }

  /** Everything received until the server closed the connection. */
  async closed(): Promise<string> {
    await this.#closed;
    return this.#heard;
  }

  hangUp(): void {
    this.socket.destroy();
  }
}

/** A request as it goes over the wire, with a Host and by default the length of its body. */
export function message(start: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const length =
    body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const fields = Object.entries({ host: 'localhost', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`${start} HTTP/1.1`, ...fields, '', body].join('\r\n');
}

/** The answers received: the numbers of their status lines. */
export const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
