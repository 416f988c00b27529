// Trading in a program of your own: everything in memory, orders on paper.
import { createStakeport, formatMicro, statusOf } from 'stakeport';

const stakeport = createStakeport({ openingCash: 1000 });

const strategy = await stakeport.strategies.create({
  account: 'me',
  name: 'Home favourites',
  sport: 'soccer',
  bankrollCap: 100,
  stakeCap: 25,
  rules: { sizing: { method: 'flat', value: 10 } },
});
const cap = formatMicro(strategy.bankrollCap);
console.log(`strategy "${strategy.name}", version ${strategy.version}, at most ${cap} USDC`);

const order = await stakeport.orders.place({
  account: 'me',
  market: 'will-it-rain',
  outcome: 'YES',
  side: 'BUY',
  price: '0.57',
  usdc: '10',
  strategy: strategy.id,
  idempotencyKey: 'rain-1',
});
const { shares, notional } = order.filled;
console.log(`order ${statusOf(order)}: ${formatMicro(shares)} shares for ${formatMicro(notional)} USDC`);

const { items } = await stakeport.orders.events('me', order.id);
for (const { seq, change } of items) console.log(`  ${seq}. ${change.type}`);
await stakeport.close();
