import type { WireCaller } from '../../adapters/http/answers.js';
import { ApiRefusal, api, setKey } from './api.js';
import type { UiStore } from './ui-store.js';

/** The service ends a session that is not used for so long; the page does, when no person used it. */
export const IDLE_MS = 30 * 60_000;
/** So long before it ends the page says so. */
export const WARN_IDLE_MS = 3 * 60_000;
/** How long before an end that only the key can postpone the page warns. */
export const WARN_END_MS = 15 * 60_000;
/** How often the page reports that its session is in use: a stream is no use of it. */
const SAID_EVERY_MS = 5 * 60_000;
const PATH = '/v1/session';

const ENDED = {
  idle: 'Nobody used the page for 30 minutes, so the session has ended.',
  over: 'The session has ended: 12 hours are over, or its key has expired.',
  out: 'You are logged out.',
  refused: 'You are logged out: the session was ended elsewhere, or its key was revoked or has expired.',
} as const;

/** Logs in and out, keeps a session that is in use, and ends one that nobody uses. */
export class PageLogin {
  #saidAt = 0;
  #isIn = false;
  readonly #others = new BroadcastChannel('stakeport');

  constructor(
    private readonly store: UiStore,
    /** Called when the caller from now on may be another one, or nobody. */
    private readonly changed: () => void,
    /** How far the clock of the service is ahead of this machine's. */
    private readonly aheadMs: number,
  ) {}

  /** Watches what the person does, for as long as the page lives. */
  async start(): Promise<void> {
    const { needs_login: needsLogin, has_sessions: hasSessions } = this.store.state.settings;
    if (!needsLogin || !hasSessions) return;
    for (const type of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(type, () => this.#isWarned || this.#used(), { passive: true });
    // Pages of the same browser share the session, and so its use and its end.
    this.#others.onmessage = ({ data }: MessageEvent<{ readonly usedAt?: number; readonly ended?: string }>) => {
      if (data.usedAt !== undefined) this.#keep({ usedAt: data.usedAt });
      if (data.ended !== undefined && this.store.state.page !== 'login') this.#show(data.ended);
    };
    setInterval(() => this.#tick(), 1000);
    if (this.store.state.page !== 'login') await this.#ask();
  }

  /** Exchanges a key for a session; without sessions the page keeps the key. @throws ApiRefusal, TypeError */
  async logIn(key: string): Promise<void> {
    if (this.store.state.settings.has_sessions) {
      this.#take(await api<WireCaller>(PATH, { method: 'POST', key }));
      const kept = await api<WireCaller>(PATH).catch(() => null);
      if (kept?.kind !== 'session') throw new ApiRefusal(0, NOT_KEPT);
    } else {
      const { scopes } = await api<WireCaller>(PATH, { key });
      this.store.set({ scopes });
      setKey(key);
    }
    this.#isIn = true;
    this.store.set({ ended: null });
    this.changed();
  }

  /** Begins a session anew with the key, for the same account. @throws ApiRefusal */
  async prove(key: string): Promise<void> {
    const { session } = this.store.state;
    const { account } = await api<WireCaller>(PATH, { key });
    if (session !== null && account !== session.account)
      throw new ApiRefusal(403, `This key is of ${account}, and the page shows ${session.account}.`);
    this.#take(await api<WireCaller>(PATH, { method: 'POST', key }));
  }

  /** Goes on with a session that is about to end because nobody uses it. */
  goOn(): void {
    this.#used();
    void this.#ask();
  }

  /** Ends the session. */
  logOut(): void {
    void this.#end(ENDED.out);
  }

  /** The service does not know the caller any more. */
  refused(): void {
    if (this.store.state.page === 'login') return;
    this.#show(this.#isIn ? ENDED.refused : null);
  }

  get #isWarned(): boolean {
    const { session } = this.store.state;
    return session !== null && Date.now() - session.usedAt > IDLE_MS - WARN_IDLE_MS;
  }

  #used(): void {
    const { session } = this.store.state;
    if (session === null || Date.now() - session.usedAt < 1000) return;
    this.#keep({ usedAt: Date.now() });
    this.#others.postMessage({ usedAt: Date.now() });
  }

  #keep(change: { readonly usedAt: number }): void {
    const { session } = this.store.state;
    if (session !== null) this.store.set({ session: { ...session, ...change } });
  }

  #tick(): void {
    const { session, page } = this.store.state;
    if (session === null || page === 'login') return;
    const now = Date.now();
    if (now >= session.endsAt) void this.#end(ENDED.over);
    else if (now - session.usedAt >= IDLE_MS) void this.#end(ENDED.idle);
    else if (session.usedAt > this.#saidAt && now - this.#saidAt >= SAID_EVERY_MS) void this.#ask();
  }

  /** Asking is a use of the session. Where the service does not answer, it is asked again later. */
  async #ask(): Promise<void> {
    this.#saidAt = Date.now();
    const caller = await api<WireCaller>(PATH).catch(() => null);
    if (caller !== null) this.#take(caller);
  }

  #take({ account, scopes, started_at: startedAt, ends_at: endsAt }: WireCaller): void {
    this.store.set({ scopes });
    if (startedAt === null || endsAt === null) return;
    const usedAt = this.store.state.session?.usedAt ?? Date.now();
    this.#isIn = true;
    this.store.set({ session: { account, endsAt: Date.parse(endsAt) - this.aheadMs, usedAt } });
  }

  async #end(words: string): Promise<void> {
    this.#show(words);
    setKey(null);
    this.#others.postMessage({ ended: words });
    if (this.store.state.settings.has_sessions) await api(PATH, { method: 'DELETE' }).catch(() => {});
  }

  /** Shows the login page, with nothing of the account left visible. */
  #show(words: string | null): void {
    this.#isIn = false;
    this.store.set({ page: 'login', session: null, scopes: null, ended: words });
    this.changed();
  }
}

const NOT_KEPT =
  'The key is good, but this browser kept no session: over plain http browsers keep one only on this machine. Use https, or a tunnel to 127.0.0.1.';
