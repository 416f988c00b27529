import type { Client, Notification } from 'pg';
import type { AccountId } from '../../core/ids.js';
import type { Announcements, Hear } from './store.js';

const CHANNEL = 'stakeport_events';
/** Postgres takes 8,000 bytes less its own. */
const PAYLOAD_BYTES = 7900;
/** At most 20 a second: each takes a lock of the whole instance when it commits. */
const PACE_MS = 50;
const RECONNECT_MS = 1000;

/**
 * Announcements by NOTIFY, on a session connection of their own, and never in the transaction of a write: what is committed
 * meanwhile goes together into the next one. Without a connection nothing is announced and nothing heard.
 */
export class PostgresAnnouncements implements Announcements {
  readonly #pending = new Map<AccountId, number>();
  #hear: Hear | null = null;
  #client: Client | null = null;
  #connecting: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** `connect` opens a connection outside of any pool. */
  constructor(private readonly connect: () => Promise<Client>) {}

  open(hear: Hear): void {
    if (this.#hear !== null) return;
    this.#hear = hear;
    this.#connecting = this.#listen();
  }

  announce(account: AccountId, head: number): void {
    if (this.#client === null) return;
    this.#pending.set(account, head);
    this.#timer ??= setTimeout(() => void this.#send(), 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer ?? undefined);
    await this.#connecting;
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #listen(): Promise<void> {
    if (this.#isClosed) return;
    const client = await this.connect().catch(() => null);
    this.#client = client;
    if (client === null) return this.#retry();
    for (const event of ['error', 'end'] as const) client.on(event, () => this.#lose(client));
    client.on('notification', (message) => this.#heard(message));
    await client.query(`listen ${CHANNEL}`).catch(() => this.#lose(client));
  }

  #lose(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#pending.clear();
    client.end().catch(() => {});
    this.#retry();
  }

  #retry(): void {
    if (this.#isClosed) return;
    setTimeout(() => {
      this.#connecting = this.#listen();
    }, RECONNECT_MS).unref();
  }

  async #send(): Promise<void> {
    const payload = this.#payload();
    // Its failure is one of the connection, which is opened anew.
    await this.#client?.query(`select pg_notify('${CHANNEL}', $1)`, [payload]).catch(() => {});
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#pending.size > 0) this.#timer = setTimeout(() => void this.#send(), 0);
    }, PACE_MS).unref();
  }

  /** As much of what is to be announced as one payload holds. */
  #payload(): string {
    const parts: string[] = [];
    let bytes = 2;
    for (const [account, head] of this.#pending) {
      const part = JSON.stringify([account, head]);
      bytes += Buffer.byteLength(part) + 1;
      if (bytes > PAYLOAD_BYTES) break;
      parts.push(part);
      this.#pending.delete(account);
    }
    return `[${parts.join(',')}]`;
  }

  #heard({ payload = '' }: Notification): void {
    for (const [account, head] of announcedIn(payload)) this.#hear?.(account, head);
  }
}

/** Anybody who may connect can say anything on a channel. */
function announcedIn(payload: string): [AccountId, number][] {
  try {
    const found: unknown = JSON.parse(payload);
    return Array.isArray(found) ? found.filter(isAnnounced) : [];
  } catch {
    return [];
  }
}

function isAnnounced(one: unknown): one is [AccountId, number] {
  return Array.isArray(one) && typeof one[0] === 'string' && Number.isSafeInteger(one[1]);
}
