import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A message that a receiver took or refused. */
export interface ReceivedMessage {
  readonly id: string;
  readonly type: string;
  /** The number of the event; empty for a ping. */
  readonly seq: string;
  readonly orderId: string | null;
  readonly status: number;
}

/** What a receiver answers a message; null for never. */
export type Answering = (message: Omit<ReceivedMessage, 'status'>, response: ServerResponse) => number | null;

interface Body {
  readonly type: string;
  readonly data: { readonly seq?: string; readonly data?: { readonly order?: { readonly id: string } } };
}

/** A receiver of webhooks on this machine, which verifies each message as the reference library does. */
export class Receiver {
  readonly received: ReceivedMessage[] = [];
  /** The same as they came, by their headers and texts. */
  readonly raw: { readonly headers: Readonly<Record<string, string>>; readonly text: string }[] = [];
  secret: string | null = null;
  answering: Answering = () => 204;
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    this.raw.push({ headers, text });
    const { type, data } = JSON.parse(text) as Body;
    const message = {
      id: headers['webhook-id'] ?? '',
      type,
      seq: data.seq ?? '',
      orderId: data.data?.order?.id ?? null,
    };
    if (this.secret !== null) this.verify(this.secret, text, headers);
    const status = this.answering(message, response);
    this.received.push({ ...message, status: status ?? 0 });
    if (status !== null && !response.writableEnded) response.writeHead(status).end('said so');
  });

  /** Throws unless the reference library takes it; the moment of a simulated day counts as now. */
  protected verify(secret: string, text: string, headers: Record<string, string>): void {
    const real = Date.now;
    Date.now = () => Number(headers['webhook-timestamp']) * 1000;
    try {
      new Webhook(secret).verify(text, headers);
    } finally {
      Date.now = real;
    }
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.on('connection', (socket) => receiver.#sockets.add(socket));
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** The numbers of the events that it took, in their order. */
  get taken(): readonly string[] {
    return this.received.filter(({ status, seq }) => status === 204 && seq !== '').map(({ seq }) => seq);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((closed) => this.#server.close(closed));
  }
}
