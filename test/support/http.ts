import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** A server's answer. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body, read as JSON. */
  json<T = Record<string, unknown>>(): T;
}

/** A member that is undefined is not sent. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** A request. An object is sent as JSON; text and bytes go out as they are. */
export interface Ask {
  readonly headers?: Headers;
  /** Sent after `headers`, as they are, doubles included. */
  readonly rawHeaders?: readonly (readonly [string, string])[];
  readonly body?: object | string;
}

/** Talks to one server over keep-alive connections. */
export class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 100 });

  /** `headers` go with every request. */
  constructor(
    readonly url: string,
    readonly headers: Headers = {},
  ) {}

  get = (path: string, headers: Headers = {}) => this.send('GET', path, { headers });
  post = (path: string, body?: object | string, headers: Headers = {}) => this.send('POST', path, { body, headers });
  put = (path: string, body?: object | string, headers: Headers = {}) => this.send('PUT', path, { body, headers });
  patch = (path: string, body: object | string, headers: Headers = {}) => this.send('PATCH', path, { body, headers });
  delete = (path: string, headers: Headers = {}) => this.send('DELETE', path, { headers });

  /** The same server, with another caller. */
  as(headers: Headers): Client {
    return new Client(this.url, { ...this.headers, ...headers });
  }

  /** @throws when the connection breaks before the whole answer is there. */
  send(method: string, path: string, { headers = {}, rawHeaders = [], body }: Asked = {}): Promise<Reply> {
    const bytes = bytesOf(body);
    const { hostname, port, host } = new URL(this.url);
    const type = { host, ...(bytes === undefined ? {} : { 'content-type': 'application/json' }) };
    const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
    const all = Object.entries({ ...type, ...this.headers, ...headers, ...length });
    const flat = [...all.filter(([, value]) => value !== undefined), ...rawHeaders].flat() as string[];
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers: flat, agent: this.#agent, setHost: false };
      const sent = request(options, (answer) => read(answer).then(resolve, reject));
      sent.on('error', reject);
      sent.end(bytes);
    });
  }

  /** Closes the connections that are kept. */
  close(): void {
    this.#agent.destroy();
  }
}

type Asked = { [Part in keyof Ask]?: Ask[Part] | undefined };

function bytesOf(body: object | string | undefined): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

async function read(answer: IncomingMessage): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { statusCode: status = 0, headers } = answer;
  return { status, headers, text, json: () => JSON.parse(text) };
}
