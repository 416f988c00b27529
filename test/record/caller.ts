import { Client, type Headers, type Reply } from '../support/http.js';
import { shown, type Transcript } from './transcript.js';

/** Headers of an answer that differ from run to run, or say nothing of stakeport. */
const UNTOLD = new Set(['date', 'connection', 'keep-alive', 'x-request-id', 'content-length', 'transfer-encoding']);

type Json = Readonly<Record<string, unknown>>;

/** Calls a server, and writes down each request and answer. */
export class Caller {
  readonly #client: Client;

  constructor(
    private readonly transcript: Transcript,
    readonly url: string,
    private readonly headers: Headers = {},
    /** Waits until the server has nothing left to do from the request before. */
    private readonly settled: () => Promise<void> = async () => {},
  ) {
    this.#client = new Client(url, headers);
  }

  /** The same server, with other headers. */
  as(headers: Headers): Caller {
    return new Caller(this.transcript, this.url, { ...this.headers, ...headers }, this.settled);
  }

  get = (path: string, headers: Headers = {}) => this.call('GET', path, undefined, headers);
  post = (path: string, body?: object | string, headers: Headers = {}) => this.call('POST', path, body, headers);
  put = (path: string, body?: object | string, headers: Headers = {}) => this.call('PUT', path, body, headers);
  patch = (path: string, body?: object | string, headers: Headers = {}) => this.call('PATCH', path, body, headers);
  delete = (path: string, headers: Headers = {}) => this.call('DELETE', path, undefined, headers);

  /** Returns the body of the answer; an empty object where it is not JSON. `hear` is given it before it is written down. */
  async call(
    method: string,
    path: string,
    body?: object | string,
    headers: Headers = {},
    hear: (json: Json, headers: Reply['headers']) => void = () => {},
  ): Promise<Json> {
    const { transcript } = this;
    transcript.say(`> ${method} ${path}`);
    for (const [name, value] of Object.entries(headers)) transcript.say(`> ${name}: ${value}`);
    if (body !== undefined) transcript.say(typeof body === 'string' ? body : shown(body));
    await this.settled();
    const answer = await this.#client.send(method, path, { headers, ...(body !== undefined && { body }) });
    return this.#told(answer, hear);
  }

  #told({ status, headers, text, json }: Reply, hear: (json: Json, headers: Reply['headers']) => void): Json {
    const { transcript } = this;
    const isJson = text !== '' && /json/.test(headers['content-type'] ?? '');
    if (isJson) hear(json(), headers);
    transcript.say(`< ${status}`);
    for (const [name, value] of Object.entries(headers)) {
      if (!UNTOLD.has(name)) transcript.say(`< ${name}: ${value}`);
    }
    if (text !== '') transcript.say(isJson ? shown(json()) : text.replaceAll('><', '>\n<'));
    transcript.say('');
    return isJson ? json() : {};
  }
}
