import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { dayOfZone } from '../../../../src/adapters/system/local-time.js';
import type { AuthScope } from '../../../../src/core/access/principal.js';
import type { LimitsChange } from '../../../../src/core/limits/limits.js';
import { ALICE, anOrderContext, clockAt, type DraftChanges, MARKET, price, usdc } from '../../../support/builders.js';
import { QuotedMarkets } from '../../../support/quoted-markets.js';
import { ScriptedExchange, type ScriptedSimulator } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

export const NOON = '2026-03-01T12:00:00.000Z';
export const SECOND = 1000;
const MAY: ReadonlySet<AuthScope> = new Set(['risk:write', 'orders:cancel', 'admin']);

/** A trader in markets whose bids a test sets; paper orders fill whole at their limits. */
export async function fixture(limits: LimitsChange, { at = NOON, zone = 'UTC', paper }: Partial<FixtureOptions> = {}) {
  const clock = clockAt(at);
  const markets = new QuotedMarkets();
  const context = anOrderContext({ clock, dayOf: dayOfZone(zone) });
  const live = new ScriptedExchange();
  const trader = new Trading(new MemoryLedger(), { context, markets, live, ...(paper && { paper }) });
  const set = (change: LimitsChange) => trader.use.limits.change.execute({ account: ALICE, change, mayLoosen: true });
  await set(limits);
  return {
    trader,
    clock,
    markets,
    live,
    set,
    price: (bid: string) => markets.bids.set(MARKET, `${bid}x1000`),
    code: async (draft: DraftChanges = {}) => (await trader.place(draft)).refusal?.code ?? 'placed',
    /** Buys 100 shares at 0.5, and sells them for less. */
    loses: async (dollars: number) => {
      await trader.place({ size: usdc('50') });
      const each = (50 - dollars) / 100;
      return trader.place({ side: 'SELL', price: price(each.toFixed(2)), size: usdc((each * 100).toFixed(2)) });
    },
    used: async (onPaper = true) => (await trader.use.limits.read.execute(ALICE, onPaper)).used,
    watch: () => trader.use.limits.watch.execute(),
    states: async () => (await trader.use.trading.read.now(ALICE)).states,
    resume: () => {
      const change = {
        scope: 'account',
        state: 'active',
        stops: 'all',
        reason: 'Seen',
        by: 'me',
        until: null,
      } as const;
      return trader.use.trading.set.execute({ account: ALICE, change, cancel: false, may: MAY, idempotencyKey: null });
    },
  };
}

interface FixtureOptions {
  readonly at: string;
  readonly zone: string;
  readonly paper: ScriptedSimulator;
}
