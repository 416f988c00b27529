import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { ORDERS, type RunningApp, startApp } from './app.js';
import type { Client, Reply } from './http.js';

export const SESSION = '/v1/session';
/** An origin that may call the servers of this stage. */
export const FRIEND = 'https://app.example.org';
/** A name that the first server of this stage has. */
export const NAME = 'trade.example.org';
/** What a browser says of a request of a page of the server itself. */
export const PAGE = { 'sec-fetch-site': 'same-origin' };

const COOKIE = /^__Host-stakeport=([\w-]{43}); Path=\/; Secure; HttpOnly; SameSite=Strict$/;

/** A browser that has logged in. */
export interface Login {
  readonly browser: Client;
  /** The secret of its session, and all its cookies. */
  readonly text: string;
  readonly cookie: string;
  readonly keyId: string;
}

/** The cookie that an answer sets; empty without one. */
export const setCookie = ({ headers }: Reply): string => headers['set-cookie']?.[0] ?? '';

/** The status of an answer, and its problem. */
export const problem = (reply: Reply): unknown[] => [reply.status, reply.json()['type']];

/** Servers with keys, and browsers that log in to the first. */
export class LoginFixture {
  private constructor(
    readonly app: RunningApp,
    /** The same server, but called by any name. */
    readonly nameless: RunningApp,
    readonly ledger: MemoryLedger,
    /** A program with a key. */
    readonly alice: Client,
  ) {}

  static async open(): Promise<LoginFixture> {
    const ledger = new MemoryLedger();
    const keyed = { authenticator: 'keys', ledger } as const;
    const app = await startApp({ ...keyed, corsOrigins: [FRIEND], allowedHosts: [NAME], streams: {} });
    const alice = await app.keyed('alice', 'orders:read', 'orders:paper');
    return new LoginFixture(app, await startApp(keyed), ledger, alice);
  }

  /** With a new key. */
  async loggedIn(account = 'alice'): Promise<Login> {
    const started = await (await this.app.keyed(account, 'orders:read', 'orders:paper')).post(SESSION);
    const text = COOKIE.exec(setCookie(started))?.[1];
    if (started.status !== 201 || text === undefined) throw new Error(`no login: ${started.status} ${started.text}`);
    const cookie = `theme=dark; __Host-stakeport=${text}`;
    const keyId = String(started.json()['credential']);
    return { browser: this.app.client.as({ cookie, ...PAGE }), text, cookie, keyId };
  }

  /** How many orders alice has. */
  async orders(): Promise<number> {
    return (await this.alice.get(ORDERS)).json<{ data: unknown[] }>().data.length;
  }
}
