// The core inside a program of your own: everything in memory, orders on paper, wired with plain `new`.
import {
  type AccountId,
  CreateStrategy,
  formatMicro,
  type MarketId,
  PlaceOrder,
  price,
  ReadOrders,
  SubmitOrder,
  statusOf,
  usdc,
} from 'stakeport';
import { NoMarketData } from 'stakeport/market-data';
import { MemoryLedger } from 'stakeport/memory';
import { PaperExchange } from 'stakeport/paper';
import { monotonic, sha256, systemClock, uuidV7 } from 'stakeport/system';

const account = 'me' as AccountId;
const ledger = new MemoryLedger();
const venues = { paper: new PaperExchange(), live: null };
const time = { clock: systemClock, wallClock: systemClock, stopwatch: monotonic };
const context = { ...time, ids: uuidV7, digest: sha256, openingCash: usdc('1000') };
const createStrategy = new CreateStrategy(ledger, context.clock, context.ids);
const submitOrder = new SubmitOrder(ledger, venues, context);
const placeOrder = new PlaceOrder(ledger, new NoMarketData(), venues, submitOrder, context);

const rules = { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('10') } } as const;
const caps = { bankrollCap: usdc('100'), stakeCap: usdc('25') };
const draft = { name: 'Home favourites', sport: 'soccer', rules, ...caps };
const { record: strategy } = await createStrategy.execute({ account, draft, idempotencyKey: null });
console.log(
  `strategy "${strategy.name}", version ${strategy.version}, at most ${formatMicro(strategy.bankrollCap)} USDC`,
);

const { record: order } = await placeOrder.execute({
  draft: {
    ...{ account, marketId: 'will-it-rain' as MarketId, token: 'YES', side: 'BUY', paper: true },
    ...{ price: price('0.57'), size: usdc('10'), timeInForce: 'GTC', expiresAt: null, postOnly: false },
    strategyId: strategy.id,
  },
  mayTradeLive: false,
  idempotencyKey: 'rain-1',
});
const { shares, notional } = order.filled;
console.log(`order ${statusOf(order)}: ${formatMicro(shares)} shares for ${formatMicro(notional)} USDC`);

const { items } = await new ReadOrders(ledger).events(account, order.id, { limit: 50 });
for (const { seq, change } of items) console.log(`  ${seq}. ${change.type}`);
