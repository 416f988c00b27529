import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { uuidV7 } from '../../src/adapters/system/system.js';
import type { AuthScope } from '../../src/core/access/principal.js';
import { type Payout, YES_WON } from '../../src/core/market/lifecycle.js';
import { ORDERS, startApp } from './app.js';
import { anOrderContext } from './builders.js';
import type { Reply } from './http.js';
import { aMarket, FIVE_PERCENT, levels, ManualTimeline, ScriptedMarket } from './scripted-market.js';
import { Trading } from './trading.js';

/** What `bettingApp` returns. */
export type BettingApp = Awaited<ReturnType<typeof bettingApp>>;

/** The rows of a list. */
export const rowsOf = <Row>(reply: Reply): readonly Row[] => reply.json<{ data: readonly Row[] }>().data;

/** A server with one market at 0.48 to 0.50, on which a client with these scopes beside those of orders buys 20 shares at a time. */
export async function bettingApp({ fee = FIVE_PERCENT, scopes = [] as readonly AuthScope[] } = {}) {
  const market = new ScriptedMarket(aMarket({ fee }), new ManualTimeline());
  market.shown = { bids: levels('0.48x1000'), asks: levels('0.50x1000') };
  const ledger = new MemoryLedger();
  const app = await startApp({ markets: market, ledger, authenticator: 'keys' });
  const alice = await app.keyed('alice', 'orders:read', 'orders:paper', ...scopes);
  const { venue, id: marketId } = market.market;
  return {
    market,
    ledger,
    app,
    alice,
    /** For 10 dollars, or 10.4 of the second outcome; returns the id of the order. */
    async buy(token: 'YES' | 'NO' = 'YES', client = alice): Promise<string> {
      const [price, size_usdc] = token === 'YES' ? ['0.5', '10'] : ['0.52', '10.4'];
      const reply = await client.post(ORDERS, { market_id: marketId, token, price, size_usdc });
      return reply.json<{ id: string }>().id;
    },
    settle: (payout: Payout = YES_WON) =>
      new Trading(ledger, { markets: market, context: anOrderContext({ ids: uuidV7 }) }).use.markets.settle.execute(
        { venue, marketId },
        payout,
      ),
  };
}
