import { expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import type { MarketId } from '../../src/core/ids.js';
import type { Market } from '../../src/core/market/market.js';
import { SubmitOrder } from '../../src/core/usecases/orders/submit-order.js';
import { PlaceBet } from '../../src/core/usecases/strategies/place-bet.js';
import { anOpenMarket } from '../core/matching/view.js';
import { found } from '../support/audited.js';
import { ALICE, anOrderContext, clockAt, NOON, usdc } from '../support/builders.js';
import { levels } from '../support/scripted-market.js';
import { Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

/** Home, draw and away of one game, each offered at 0.50. */
const GAME: readonly Market[] = (['home', 'draw', 'away'] as const).map((role) =>
  anOpenMarket(
    {},
    {
      id: role as string as MarketId,
      role,
      exclusiveSet: 'game',
      kind: 'moneyline',
      sport: 'soccer',
      startsAt: new Date('2026-03-01T14:00:00.000Z'),
      event: { id: 'game', slug: null, title: null },
    },
  ),
);
const BOOK = { bids: levels('0.48x1000'), asks: levels('0.50x1000'), at: new Date(NOON), fresh: true };

/** Bets of strategies at once, whichever handle of the store places them. */
export function limitedBets(open: () => readonly OpenedLedger['ledger'][]): void {
  it("60 bets at once use up the account's event loss limit exactly", async () => {
    const context = anOrderContext({ clock: clockAt(NOON) });
    const markets = Object.assign(new NoMarketData(), { find: async (id: MarketId) => GAME.find((m) => m.id === id) });
    const stages = open().map((ledger) => new Trading(ledger, { context, markets }));
    const [first = stages[0]] = stages;
    if (first === undefined) throw new Error('A store has a handle.');
    await first.use.limits.change.execute({ account: ALICE, change: { eventLossUsdc: usdc('25') }, mayLoosen: true });
    const sizing = { method: 'flat', value: usdc('4') } as const;
    const rules = { match: {}, filter: {}, outcome: { index: 0 }, sizing, limits: { eventLoss: null } } as const;
    const strategies = await Promise.all(
      Array.from({ length: 20 }, () => first.strategy({ automation: 'auto', rules, bankrollCap: usdc('500') })),
    );
    const bets = strategies.flatMap((strategy, n) => {
      const { ledger, ports } = stages[n % stages.length] ?? first;
      const placeBet = new PlaceBet(ledger, ports.venues, new SubmitOrder(ledger, ports.venues, ports), ports);
      const known = { outcome: 'YES', firstPrice: null, rearmed: true, benched: false } as const;
      return GAME.map((market) => {
        const view = { market, book: BOOK, others: [] };
        return placeBet.execute({ ...known, strategy, view, estimates: { estimate: null, others: [] } });
      });
    });
    const decisions = (await Promise.all(bets)).map((judged) => judged?.decision);
    expect(new Set(decisions.map((decision) => decision?.code))).toEqual(new Set([null, 'below_minimum']));
    const cut = decisions.filter((decision) => decision?.boundBy === 'event_loss_usdc');
    expect(cut.length).toBeGreaterThan(decisions.length / 2);
    for (const { ledger, use } of stages) {
      const { used } = await use.limits.read.execute(ALICE, true);
      expect(used.eventLossUsdc).toBeLessThanOrEqual(usdc('25'));
      expect(used.eventLossUsdc).toBeGreaterThan(usdc('22.5'));
      expect(await found(ledger)).toEqual([]);
    }
  });
}
