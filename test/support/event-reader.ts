import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';
import type { Client, Headers } from './http.js';

/** One event as it came. */
export interface Received {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A client of a stream. */
export class EventReader {
  readonly received: Received[] = [];
  /** Everything, as it was sent. */
  text = '';
  retryMs = 0;
  status = 0;
  headers: IncomingHttpHeaders = {};
  hasEnded = false;
  #answer: IncomingMessage | null = null;
  readonly #sent: ClientRequest;
  #changed = () => {};

  constructor(client: Client, path: string, headers: Headers = {}) {
    const all = Object.entries({ ...client.headers, ...headers }).filter(([, value]) => value !== undefined);
    this.#sent = request(client.url + path, {
      headers: Object.fromEntries(all) as Record<string, string>,
      agent: false,
    });
    this.#sent.on('response', (answer) => this.#read(answer));
    this.#sent.on('error', () => this.#end());
    this.#sent.end();
  }

  /** Resolves once it holds; never when it never will. */
  async until(holds: (reader: this) => boolean): Promise<this> {
    while (!holds(this))
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    return this;
  }

  /** The events of this kind. */
  of(event: string): Received[] {
    return this.received.filter((one) => one.event === event);
  }

  /** Those of the log. */
  get logged(): Received[] {
    return this.received.filter(({ id }) => id !== undefined);
  }

  /** Reads nothing more. */
  stall(): void {
    this.#answer?.pause();
  }

  /** Reads on. */
  resume(): void {
    this.#answer?.resume();
  }

  close(): void {
    this.#sent.destroy();
  }

  #read(answer: IncomingMessage): void {
    this.#answer = answer;
    [this.status, this.headers] = [answer.statusCode ?? 0, answer.headers];
    const parser = createParser({
      onEvent: ({ id, event = 'message', data }) => this.received.push({ id, event, data: JSON.parse(data) }),
      onComment: () => {},
      onRetry: (ms) => {
        this.retryMs = ms;
      },
    });
    answer.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      if (this.status === 200) parser.feed(text);
      this.#changed();
    });
    answer.on('close', () => this.#end());
    this.#changed();
  }

  #end(): void {
    this.hasEnded = true;
    this.#changed();
  }
}
