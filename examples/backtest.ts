// A backtest: a rule trades on a recorded tape, in the time of the tape. It has two markets; one of them gets its result.
import { createStakeport, formatMicro, type Market, price } from 'stakeport';
import { openTape } from 'stakeport/tape';

const tape = await openTape(`${import.meta.dirname}/two-markets.jsonl`);
const stakeport = createStakeport(tape);
const say = (what: string) => console.log(`${tape.now().toISOString().slice(14, 23)}  ${what}`);

async function buy({ id, slug }: Market): Promise<void> {
  const order = await stakeport.orders.place({
    account: 'me',
    market: id,
    outcome: 'YES',
    price: '0.57',
    usdc: 20,
    timeInForce: 'FAK',
    idempotencyKey: slug,
  });
  const { shares, notional } = order.filled;
  say(`${slug}: bought ${formatMicro(shares)} shares for ${formatMicro(notional)}`);
}

// The rule: 20 USDC on the first outcome of each market, once, as soon as a share of it is offered at 0.57 or less.
const wanted = new Set(tape.index.markets);
for (const market of tape.index.markets) {
  await tape.follow(market, async (event) => {
    const offer = (await tape.book(market))?.asks[0];
    if (offer !== undefined && offer.price <= price('0.57') && wanted.delete(market)) await buy(market);
    if (event.type === 'market' && event.market.payout !== null) {
      say(`${market.slug}: result, orders settled ${await stakeport.markets.settle()}`);
    }
  });
}

await tape.play();
const portfolio = await stakeport.portfolio.of('me');
for (const name of ['cash', 'value', 'realised', 'unrealised', 'fees'] as const)
  console.log(`${name} ${formatMicro(portfolio[name] ?? 0n)}`);
await stakeport.close();
