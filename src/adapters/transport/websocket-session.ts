import { type RawData, WebSocket } from 'ws';
import { codeOf } from './error-code.js';

/** A text frame that cannot be read: its content is unknown. */
export class FrameMalformed extends Error {}

/** The text that is sent, and comes back, in place of WebSocket's ping and pong. */
export interface TextHeartbeat {
  readonly ping: string;
  readonly pong: string;
}

/** The limits of one connection; times in milliseconds. */
export interface WebSocketLimits {
  readonly pingMs: number;
  /** Neither a message nor a PONG for this long: the connection is dead. */
  readonly silenceMs: number;
  /** No message for this long, though PONGs come: the subscription may be dead. */
  readonly idleMs: number;
  readonly handshakeMs: number;
  /** The largest frame that is read, in bytes. */
  readonly maxPayload: number;
  /** WebSocket's own ping when absent. */
  readonly heartbeat?: TextHeartbeat;
  /** The headers of the handshake, made anew for each connection; none when absent. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** The callbacks of a session. */
export interface WebSocketPeer {
  /** The connection is open. */
  opened(session: WebSocketSession): void;
  /** A text frame other than a PONG. @throws FrameMalformed */
  received(text: string): void;
  /** Why a handshake was refused, in words: from its status and the beginning of its body. */
  refused?(status: number, body: string): string;
}

/** So much of the answer to a handshake is read. */
const MOST_REFUSAL = 4096;
const FAILED = 'the connection failed';

/** One WebSocket from its handshake to its end. It never connects again, and follows no redirect. */
export class WebSocketSession {
  /** Resolves with the reason once the socket is gone and no timer is left. Never rejects. */
  readonly ended: Promise<string>;
  readonly #socket: WebSocket;
  #reason: string | null = null;
  #ping: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #stillness: NodeJS.Timeout | undefined;

  constructor(
    url: URL,
    private readonly limits: WebSocketLimits,
    private readonly peer: WebSocketPeer,
  ) {
    const { handshakeMs, maxPayload, headers } = limits;
    const bounds = { followRedirects: false, perMessageDeflate: false, handshakeTimeout: handshakeMs, maxPayload };
    this.#socket = new WebSocket(url, { ...bounds, ...(headers !== undefined && { headers: headers() }) });
    this.#socket.on('open', () => this.#opened());
    this.#socket.on('pong', () => this.#silence?.refresh());
    this.#socket.on('unexpected-response', (request, response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body = `${body}${text}`.slice(0, MOST_REFUSAL);
      });
      response.once('close', () => {
        const status = response.statusCode ?? 0;
        this.end(peer.refused?.(status, body) ?? FAILED);
        request.destroy();
      });
    });
    this.#socket.on('message', (data, isBinary) => this.#received(data, isBinary));
    // A failure is always followed by the close, which is all that matters; its text may hold what a server sent.
    this.#socket.on('error', (error) => this.end(failureOf(error)));
    this.ended = new Promise((resolve) => {
      this.#socket.on('close', () => resolve(this.#closed()));
    });
  }

  /** Does nothing unless the connection is open. */
  send(message: object): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Ends it without waiting for the other side; the first reason stays. */
  end(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    this.#socket.terminate();
  }

  #opened(): void {
    const { pingMs, silenceMs, idleMs } = this.limits;
    this.#ping = setInterval(() => this.#sendPing(), pingMs);
    this.#silence = setTimeout(() => this.end('the connection fell silent'), silenceMs);
    this.#stillness = setTimeout(() => this.end('the connection delivered nothing for too long'), idleMs);
    this.peer.opened(this);
  }

  #sendPing(): void {
    const { heartbeat } = this.limits;
    if (heartbeat === undefined) this.#socket.ping();
    else this.#socket.send(heartbeat.ping);
  }

  #received(data: RawData, isBinary: boolean): void {
    if (this.#reason !== null) return;
    this.#silence?.refresh();
    const text = data.toString();
    if (text === this.limits.heartbeat?.pong && !isBinary) return;
    this.#stillness?.refresh();
    try {
      if (isBinary) throw new FrameMalformed('a frame is not text');
      this.peer.received(text);
    } catch (error) {
      if (!(error instanceof FrameMalformed)) throw error;
      // The frame may have held anything, about any market: only a new connection is safe.
      this.end(error.message);
    }
  }

  #closed(): string {
    clearInterval(this.#ping);
    clearTimeout(this.#silence);
    clearTimeout(this.#stillness);
    return this.#reason ?? 'the connection was closed';
  }
}

function failureOf(error: Error): string {
  const code = codeOf(error);
  return code === undefined ? FAILED : `${FAILED} (${code})`;
}
