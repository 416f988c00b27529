import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/index.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { openTape } from '../../src/adapters/tape/index.js';
import type { VenueName } from '../../src/core/ids.js';
import { createStakeport, formatMicro, OrderNotFound, type OrderRequest, orderId, statusOf } from '../../src/index.js';
import { alive, described, level, line, pastNoon, START, tape } from '../adapters/tape/tapes.js';
import { anOpenMarket } from '../core/matching/view.js';

const ASK: OrderRequest = { account: 'me', market: 'will-it-rain', outcome: 'YES', price: '0.57', usdc: 20 };

describe('A program that embeds it', () => {
  it('places, reads and lists orders without any option', async () => {
    const stakeport = createStakeport();
    const order = await stakeport.orders.place(ASK);
    expect([statusOf(order), formatMicro(order.filled.shares)]).toEqual(['filled', '35.08']);
    expect(await stakeport.orders.get('me', order.id)).toEqual(order);
    expect((await stakeport.orders.list('me', { market: 'will-it-rain', paper: true })).items).toEqual([order]);
    const { items } = await stakeport.orders.events('me', order.id);
    expect(items.map(({ change }) => change.type)).toEqual(['requested', 'accepted', 'fill']);
    expect(formatMicro((await stakeport.portfolio.of('me')).cash ?? 0n)).toBe('980.0044');
    await stakeport.close();
  });

  it('lists the bets that its orders made, by result and market', async () => {
    const stakeport = createStakeport();
    const { id } = await stakeport.orders.place(ASK);
    const { items, next } = await stakeport.bets.list('me', { result: 'open', market: 'will-it-rain', paper: true });
    expect([items.map((bet) => [bet.id, formatMicro(bet.shares), bet.result]), next]).toEqual([
      [[id, '35.08', 'open']],
      null,
    ]);
    expect((await stakeport.bets.list('me', { settledAfter: new Date(0) })).items).toEqual([]);
    expect((await stakeport.bets.list('you')).items).toEqual([]);
    await expect(stakeport.bets.list('me', { result: 'maybe' as 'won' })).rejects.toThrow('result');
    await stakeport.close();
  });

  it('has accounts that see nothing of one another', async () => {
    const stakeport = createStakeport();
    const { id } = await stakeport.orders.place(ASK);
    await expect(stakeport.orders.get('you', id)).rejects.toThrow(OrderNotFound);
    expect((await stakeport.orders.list('you')).items).toEqual([]);
  });

  it('lists the orders of one venue', async () => {
    const at = (name: string) => ({
      marketData: new NoMarketData(name as VenueName),
      live: null,
      settlesInCash: false,
      redemption: null,
    });
    const stakeport = createStakeport({ venues: [at('here'), at('there')], paper: new PaperExchange() });
    const [here, there] = [await stakeport.orders.place(ASK), await stakeport.orders.place({ ...ASK, venue: 'there' })];
    expect((await stakeport.orders.list('me', { venue: 'there' })).items).toEqual([there]);
    expect((await stakeport.orders.list('me', { venue: 'here', market: ASK.market })).items).toEqual([here]);
    await expect(stakeport.orders.list('me', { venue: 'No Where' })).rejects.toMatchObject({ member: 'venue' });
  });

  it('gets one order for one key', async () => {
    const stakeport = createStakeport();
    const asked = { ...ASK, idempotencyKey: 'rain-1' };
    expect((await stakeport.orders.place(asked)).id).toBe((await stakeport.orders.place(asked)).id);
    expect((await stakeport.orders.list('me')).items).toHaveLength(1);
  });

  it('denies purchases that nobody approved under a strategy that asks first', async () => {
    const { strategies, orders } = createStakeport({ onWarning: () => {} });
    const rules = { outcome: { index: 0 }, sizing: { method: 'flat', value: 10 } } as const;
    const caps = { bankrollCap: '100', stakeCap: 50 };
    const asks = { account: 'me', name: 'Home', sport: 'soccer', ...caps, rules, automation: 'approve' } as const;
    const made = await strategies.create({ ...asks, automation: 'off' });
    const under = { ...ASK, strategy: made.id };
    expect(statusOf(await orders.place(under))).toBe('filled');
    await strategies.change('me', made.id, { automation: 'approve' });
    expect((await orders.place(under)).refusal?.code).toBe('approval_required');
    expect(statusOf(await orders.place({ ...under, side: 'SELL', price: '0.5', usdc: 5 }))).toBe('filled');
  });

  it('holds orders to the caps and the pause of their strategy', async () => {
    const { strategies, orders } = createStakeport();
    const caps = { bankrollCap: '100', stakeCap: 10.5 };
    const rules = { filter: { minOdds: 1.5 }, sizing: { method: 'flat', value: 10 } } as const;
    const made = await strategies.create({ account: 'me', name: 'Home', sport: 'soccer', ...caps, rules });
    const under = { ...ASK, strategy: made.id };
    expect((await orders.place(under)).refusal?.code).toBe('stake_cap_exceeded');
    await strategies.change('me', made.id, { stakeCap: 50 });
    expect(statusOf(await orders.place(under))).toBe('filled');
    await strategies.pause('me', made.id);
    expect((await orders.place(under)).refusal?.code).toBe('strategy_paused');
    expect((await strategies.versions('me', made.id)).items.map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it('closes its ports with it', async () => {
    const closed: string[] = [];
    const ledger = Object.assign(new MemoryLedger(), { close: async () => void closed.push('ledger') });
    await createStakeport({ ledger }).close();
    expect(closed).toEqual(['ledger']);
  });

  it('moves no real money without a venue for it', async () => {
    await expect(createStakeport().orders.place({ ...ASK, paper: false })).rejects.toThrow('live trading is off');
  });
});

const market = anOpenMarket();
const offered = (at: string) => ({ type: 'book', bids: [], asks: [level(at, '100')] }) as const;

const played = () =>
  openTape(
    tape(
      line(0, described(market), market),
      line(1, offered('0.7'), market),
      line(2000, offered('0.55'), market),
      alive(6000),
    ),
  );

describe('A program that plays a tape', () => {
  it('has its orders rest, and fill when the book comes to them', async () => {
    const recorded = await played();
    const stakeport = createStakeport({ ...recorded, openingCash: 100 });
    let rested = '';
    recorded.at(pastNoon(1000), async () => {
      rested = statusOf(await stakeport.orders.place({ ...ASK, market: market.id }));
    });
    await recorded.play();
    const [order] = (await stakeport.orders.list('me')).items;
    expect([rested, order && statusOf(order)]).toEqual(['open', 'filled']);
    expect(order?.updatedAt.getTime()).toBe(START + 2000);
    await stakeport.close();
  });

  it('continues after a restart with its resting orders', async () => {
    const ledger = new MemoryLedger();
    const before = await played();
    const first = createStakeport({ ...before, ledger });
    const placed = new Promise<string>((resolve) => {
      before.at(pastNoon(500), async () => resolve((await first.orders.place({ ...ASK, market: market.id })).id));
    });
    before.at(pastNoon(1500), () => before.stop());
    await before.play();
    const id = orderId(await placed);
    expect(statusOf(await first.orders.get('me', id))).toBe('open');

    const after = await played();
    const second = createStakeport({ ...after, ledger });
    after.at(pastNoon(1800), async () => {
      expect(await second.recover()).toMatchObject({ adopted: 1, failures: [] });
    });
    await after.play();
    expect(statusOf(await second.orders.get('me', id))).toBe('filled');
    await second.close();
  });
});

it('warns that the library does not run a strategy with automation', async () => {
  const warnings: string[] = [];
  const { strategies, close } = createStakeport({ onWarning: (warning) => void warnings.push(warning) });
  const rules = { outcome: 'each', filter: { minOdds: 1.5 }, sizing: { method: 'flat', value: 1 } } as const;
  const asked = { account: 'me', name: 'Homes', sport: 'soccer', rules, bankrollCap: 100, stakeCap: 25 };
  await strategies.create(asked);
  expect(warnings).toEqual([]);
  const { id } = await strategies.create({ ...asked, automation: 'auto' });
  expect(warnings).toEqual([
    expect.stringContaining(`the strategy ${id} has automation: auto, and no strategy trades by itself here`),
  ]);
  await close();
});
