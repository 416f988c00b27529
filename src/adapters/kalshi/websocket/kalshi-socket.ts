import * as v from 'valibot';
import type { BackoffLimits } from '../../transport/backoff.js';
import { exactJson } from '../../transport/exact-json.js';
import { PersistentWebSocket } from '../../transport/persistent-websocket.js';
import { FrameMalformed, type WebSocketLimits } from '../../transport/websocket-session.js';
import { boundedText } from '../../venue/wire-types.js';
import { kalshiErrorIn } from '../http/answer.js';
import { accessHeaders, type RequestSigner } from '../http/api-key.js';

/** The path of the socket; it is signed too. */
const SOCKET_PATH = '/trade-api/ws/v2';

/** Where and by which key a socket connects. */
export interface KalshiSocketOptions {
  /** The origin, such as `wss://external-api-ws.kalshi.com`. */
  readonly socket: URL;
  readonly signer: RequestSigner;
  /** Milliseconds of the venue's clock: a handshake with an old time is refused. */
  readonly now: () => number;
  readonly limits?: Partial<WebSocketLimits>;
  readonly retry?: BackoffLimits;
}

/** One message of the socket, read as far as all have it. Numbers are texts with their exact digits. */
export interface KalshiFrame {
  readonly type: string;
  /** The subscription that it belongs to; null for none. */
  readonly sid: number | null;
  /** Counts the messages of a subscription, over all of its markets; null where the channel does not count. */
  readonly seq: number | null;
  /** The command that it answers; null for none. */
  readonly id: number | null;
  readonly msg: unknown;
}

/** The callbacks of a socket. */
export interface KalshiSocketPeer {
  /** A new connection is open; nothing is subscribed on it. */
  opened(): void;
  /** @throws FrameMalformed for what leaves it unknown what was missed: the connection is made anew */
  received(frame: KalshiFrame): void;
  /** The connection was lost, or could not be made; another attempt follows automatically. */
  lost(reason: string): void;
}

const LIMITS: WebSocketLimits = {
  pingMs: 10_000,
  // The venue pings about every ten seconds, and answers ours; under load less regularly.
  silenceMs: 35_000,
  idleMs: 600_000,
  handshakeMs: 10_000,
  maxPayload: 64 * 1024 * 1024,
};
const RETRY: BackoffLimits = { initialDelay: 500, maxDelay: 30_000 };

const whole = v.nullish(v.pipe(boundedText, v.regex(/^\d{1,15}$/), v.transform(Number)), null);
const frame = v.object({
  type: boundedText,
  sid: whole,
  seq: whole,
  id: whole,
  msg: v.optional(v.unknown(), null),
});

/** A connection to the venue, renewed until it is closed (`kalshi.md` 7). Its channels are subscribed to anew each time. */
export class KalshiSocket {
  readonly #socket: PersistentWebSocket;
  #command = 0;

  constructor({ socket, signer, now, limits, retry = RETRY }: KalshiSocketOptions, peer: KalshiSocketPeer) {
    const headers = () => accessHeaders(signer, { method: 'GET', path: SOCKET_PATH }, now());
    this.#socket = new PersistentWebSocket(new URL(SOCKET_PATH, socket), { ...LIMITS, ...limits, headers }, retry, {
      opened: () => peer.opened(),
      received: (text) => peer.received(frameIn(text)),
      lost: (reason) => peer.lost(reason),
      refused: refusalIn,
    });
  }

  /** True while messages can come. */
  get isOpen(): boolean {
    return this.#socket.isOpen;
  }

  /** Sends a command, and returns the id that its answer will have. Does nothing unless the connection is open. */
  send(cmd: string, params: object): number {
    this.#command += 1;
    this.#socket.send({ id: this.#command, cmd, params });
    return this.#command;
  }

  /** Resolves once nothing of it is left. */
  close(): Promise<void> {
    return this.#socket.close();
  }
}

const CLOCK_OFF = 'the venue refuses the handshake for its time: the clock of this machine is off';
const KEY_REFUSED = 'the venue refuses the key: look whether its id, its file and KALSHI_ENV belong together';

/** True of a reason that no other attempt mends: a person has to act. */
export const isRefusal = (reason: string): boolean => reason === CLOCK_OFF || reason === KEY_REFUSED;

/** Of the venue's answer nothing is repeated. */
function refusalIn(status: number, body: string): string {
  if (status !== 401 && status !== 403) return `the connection failed (status ${status})`;
  return complaintIn(body).includes('timestamp') ? CLOCK_OFF : KEY_REFUSED;
}

function complaintIn(body: string): string {
  try {
    const { code, details } = kalshiErrorIn(JSON.parse(body));
    return `${code} ${details.toLowerCase()}`;
  } catch {
    return '';
  }
}

function frameIn(text: string): KalshiFrame {
  try {
    return v.parse(frame, exactJson(text));
  } catch {
    throw new FrameMalformed('a message has an unknown shape');
  }
}
