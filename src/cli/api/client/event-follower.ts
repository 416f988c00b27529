import { setTimeout as delay } from 'node:timers/promises';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Dispatcher } from 'undici';
import type { WireEvent, WireEventPage } from '../../../adapters/http/answers.js';
import { EXIT } from '../../../server/failures/exit.js';
import type { ApiClient } from './api-client.js';
import { ApiFailure } from './api-failure.js';

/** An event of the log, and the line of JSON that the API says of it. */
export interface FollowedEvent {
  readonly event: WireEvent;
  readonly text: string;
}

/** Where to begin, and which types of events; undefined for all. */
export interface FollowQuery {
  readonly after: string;
  readonly types: string | undefined;
}

const PATH = '/v1/events';
const STREAM = `${PATH}/stream`;
/** How long a stream may be silent: a server sends something at least every 15 seconds. */
const SILENT_MS = 60_000;
const POLL_MS = 1000;
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [200, 30_000];
/** What a server without streams answers. */
const NO_STREAM = [404, 405];

/**
 * Every event after one, each once and in order, for as long as the caller goes on. A connection that breaks is made again
 * from the last event that came; a server without streams is asked once a second.
 */
export class EventFollower {
  #hasStreams = true;
  #pauseMs = FIRST_PAUSE_MS;
  #after: string;

  /** @param notify called with what a person should know: that the connection broke, or that events are gone */
  constructor(
    private readonly api: ApiClient,
    private readonly query: FollowQuery,
    private readonly notify: (words: string) => void,
  ) {
    this.#after = query.after;
  }

  /** Ends without an error when the program is interrupted. @throws ApiFailure where trying again would not help */
  async *events(): AsyncGenerator<FollowedEvent> {
    const { interrupted } = this.api;
    while (!interrupted.aborted) {
      try {
        yield* this.#hasStreams ? this.#streamed() : this.#polled();
        // A stream ends by itself after an hour; one that ends at once must not be asked for without a pause.
        await delay(this.#hasStreams ? FIRST_PAUSE_MS : 0, undefined, { signal: interrupted });
      } catch (error) {
        if (interrupted.aborted) return;
        await this.#recover(error);
      }
    }
  }

  async *#streamed(): AsyncGenerator<FollowedEvent> {
    const { api } = this;
    // Not the client for answers: those are bounded in size and time.
    const { Client } = await import('undici');
    const client = new Client(api.server.url.origin, { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS });
    try {
      const { types } = this.query;
      const path = api.pathOf(STREAM, { after: this.#after, types });
      const headers = { ...api.headers(), accept: 'text/event-stream' };
      const answer = await client.request({ method: 'GET', path, headers, signal: api.interrupted });
      if (NO_STREAM.includes(answer.statusCode)) this.#hasStreams = false;
      else if (answer.statusCode !== 200) throw await api.failureOf(answer);
      else yield* this.#read(answer.body);
    } finally {
      await client.destroy();
    }
  }

  async *#read(body: Dispatcher.ResponseData['body']): AsyncGenerator<FollowedEvent> {
    const waiting: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (message) => waiting.push(message) });
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      this.#pauseMs = FIRST_PAUSE_MS;
      for (const message of waiting.splice(0)) yield* this.#taken(message);
    }
  }

  /** The event of a message; a message without an id is about the stream, and is no event of the log. */
  *#taken({ id, event: name, data }: EventSourceMessage): Generator<FollowedEvent> {
    if (id !== undefined) {
      this.#after = id;
      yield { event: JSON.parse(data), text: data };
    } else if (name === 'reset') {
      this.notify('Events that were asked for are not kept any more: read orders and portfolio anew.');
    }
  }

  async *#polled(): AsyncGenerator<FollowedEvent> {
    const query = { after: this.#after, types: this.query.types, limit: '100' };
    const { body } = await this.api.request<WireEventPage>({ path: PATH, query });
    this.#pauseMs = FIRST_PAUSE_MS;
    for (const event of body.data) yield { event, text: JSON.stringify(event) };
    this.#after = body.next_after;
    if (body.next_after === body.head) await delay(POLL_MS, undefined, { signal: this.api.interrupted });
  }

  async #recover(error: unknown): Promise<void> {
    if (error instanceof ApiFailure && error.exit !== EXIT.unavailable) throw error;
    const words =
      error instanceof ApiFailure ? error.message : `The connection to ${this.api.server.url.origin} broke.`;
    if (this.#pauseMs === FIRST_PAUSE_MS) this.notify(`${words} Trying again until it answers.`);
    await delay(this.#pauseMs, undefined, { signal: this.api.interrupted }).catch(() => {});
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
