import * as v from 'valibot';
import type { Clock } from '../../../ports/system.js';
import { bodyOf } from '../../transport/body.js';
import type { MarketDataClient, ReadFor } from '../../venue/market-data-client.js';
import { type ExchangeStatus, exchangeStatus } from '../http/exchange-status.js';

const FRESH_MS = 5000;
/** For so long the last status stands for one that cannot be read; then no order is taken. */
const LAST_MS = 60_000;
/** The status is in the body also where the exchange is down (`kalshi.md` 2.3). */
const WITH_STATUS: ReadonlySet<number> = new Set([200, 500, 503, 504]);
const NOT_KNOWN: ExchangeStatus = { exchangeActive: false, tradingActive: false, shards: new Map() };

/** The status of the exchange, read again once it is five seconds old. */
export class KeptStatus {
  #last: { readonly status: ExchangeStatus; readonly at: number } | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** What is read now, by who asks: nobody waits in the turn of another account. */
  readonly #reading = new Map<unknown, Promise<void>>();

  constructor(
    private readonly client: MarketDataClient,
    private readonly clock: Clock,
  ) {}

  /** That it cannot be read is no word of the exchange, and keeps no one from markets and results. @throws TooManyLookups */
  async read(whom: ReadFor): Promise<ExchangeStatus> {
    const age = this.clock.now().getTime() - this.#lookedAt;
    if (age < 0 || age >= FRESH_MS) await this.#once(whom);
    const last = this.#last;
    return last !== null && this.clock.now().getTime() - last.at <= LAST_MS ? last.status : NOT_KNOWN;
  }

  async #once(whom: ReadFor): Promise<void> {
    const who = typeof whom.asker === 'object' ? `${whom.asker.purpose} ${whom.asker.account}` : whom.asker;
    const reading = this.#reading.get(who) ?? this.#look(whom);
    this.#reading.set(who, reading);
    try {
      await reading;
    } finally {
      this.#reading.delete(who);
    }
  }

  async #look(whom: ReadFor): Promise<void> {
    const delivery = await this.client.read({ method: 'GET', path: '/exchange/status' }, whom);
    const at = this.clock.now().getTime();
    this.#lookedAt = at;
    if (delivery.kind !== 'answered' || !WITH_STATUS.has(delivery.status)) return;
    const body = bodyOf(delivery, JSON.parse);
    const read = body.form === 'json' ? v.safeParse(exchangeStatus, body.value) : null;
    if (read?.success === true) this.#last = { status: read.output, at };
  }
}
