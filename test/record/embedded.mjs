/** A program that embeds the library, as the record runs it: what it is given back, a line each. */
import { createStakeport } from '../../dist/index.js';

const plain = (_, value) => (typeof value === 'bigint' ? `${value}n` : value);
const say = (title, value) => console.log(`${title}: ${JSON.stringify(value, plain)}`);
const tried = async (title, work) => {
  try {
    say(title, await work());
  } catch (error) {
    say(title, { name: error.name, code: error.code, message: error.message });
  }
};

const stakeport = createStakeport({ openingCash: 1000 });
stakeport.onEvent?.('me', (event) => say('heard', event));
const rules = { sizing: { method: 'flat', value: 10 } };
const plan = { account: 'me', name: 'Home', sport: 'soccer', bankrollCap: 100, stakeCap: 25, rules };
const strategy = await stakeport.strategies.create(plan);
say('strategy', strategy);
const order = { account: 'me', market: 'will-it-rain', outcome: 'YES', side: 'BUY', price: '0.57', usdc: '10' };
const placed = await stakeport.orders.place({ ...order, strategy: strategy.id, idempotencyKey: 'rain' });
say('order', placed);
await tried('again', () => stakeport.orders.place({ ...order, strategy: strategy.id, idempotencyKey: 'rain' }));
await tried('other', () => stakeport.orders.place({ ...order, usdc: '11', idempotencyKey: 'rain' }));
await tried('too much', () => stakeport.orders.place({ ...order, usdc: '5000' }));
await tried('over the cap', () => stakeport.orders.place({ ...order, usdc: '26', strategy: strategy.id }));
await tried('no order', () => stakeport.orders.place({ ...order, price: '2' }));
await tried('sold', () => stakeport.orders.place({ ...order, side: 'SELL', usdc: '5.7' }));
await tried('events', () => stakeport.orders.events('me', placed.id));
await tried('paused', () => stakeport.strategies.pause('me', strategy.id));
await tried('wrong rules', () => stakeport.strategies.create({ ...plan, rules: { sizing: { method: 'flat' } } }));
await tried('absent', () => stakeport.orders.get('me', '019ca945-0fdc-7000-8000-000000000000'));
for (const name of ['portfolio', 'limits', 'events', 'trading', 'signals', 'webhooks', 'accounts'])
  say(name, Object.keys(Object(stakeport[name])));
await stakeport.close();
await tried('closed', () => stakeport.orders.place(order));
