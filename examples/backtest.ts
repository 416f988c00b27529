// A backtest: a rule trades on a recorded tape, in the time of the tape. Two markets; one of them gets its result.
import type { AccountId, Market } from 'stakeport';
import {
  formatMicro,
  PlaceOrder,
  price,
  ReadPortfolio,
  RecordReports,
  SettleMarket,
  SubmitOrder,
  usdc,
} from 'stakeport';
import { MemoryLedger } from 'stakeport/memory';
import { BookPaperExchange } from 'stakeport/paper';
import { monotonic, sha256, systemClock, uuidV7 } from 'stakeport/system';
import { openTape, TapeTrader } from 'stakeport/tape';

const account = 'me' as AccountId;
const tape = await openTape(`${import.meta.dirname}/two-markets.jsonl`, { speed: 'max' });
const ledger = new MemoryLedger();
const time = { clock: tape, wallClock: systemClock, stopwatch: monotonic };
const context = { ...time, ids: uuidV7, digest: sha256, openingCash: usdc('1000') };
const exchange = new BookPaperExchange({
  ...{ markets: tape, timeline: tape },
  sink: async (order, told) => void (await new RecordReports(ledger, context).execute(order, told)),
});
const trader = new TapeTrader(tape, exchange);
const venues = { paper: trader.exchange, live: null };
const placeOrder = new PlaceOrder(ledger, tape, venues, new SubmitOrder(ledger, venues, context), context);
const say = (what: string) => console.log(`${tape.now().toISOString().slice(14, 23)}  ${what}`);

async function buy({ id, slug }: Market): Promise<void> {
  const ask = { account, marketId: id, token: 'YES', side: 'BUY', price: price('0.57'), size: usdc('20') } as const;
  const terms = { timeInForce: 'FAK', expiresAt: null, postOnly: false, paper: true, strategyId: null } as const;
  const command = { draft: { ...ask, ...terms }, mayTradeLive: false, idempotencyKey: slug };
  const { shares, notional } = (await placeOrder.execute(command)).record.filled;
  say(`${slug}: bought ${formatMicro(shares)} shares for ${formatMicro(notional)}`);
}

// The rule: 20 USDC on the first outcome of each market, once, as soon as a share of it is offered at 0.57 or less.
const wanted = new Set(tape.index.markets);
for (const market of tape.index.markets) {
  await tape.follow(market, async (event) => {
    const offer = (await tape.book(market))?.asks[0];
    if (offer !== undefined && offer.price <= price('0.57') && wanted.delete(market)) {
      void trader.at(tape.now(), () => buy(market));
    }
    const payout = event.type === 'market' ? event.market.payout : null;
    if (payout === null) return;
    say(`${market.slug}: result, orders settled ${await new SettleMarket(ledger, context).execute(market.id, payout)}`);
  });
}

await tape.start();
await tape.ended;
tape.stop();
exchange.close();
const portfolio = await new ReadPortfolio(ledger, tape, context).now(account, { paper: true, strategyId: null });
for (const name of ['cash', 'value', 'realised', 'unrealised', 'fees'] as const)
  console.log(`${name} ${formatMicro(portfolio[name] ?? usdc('0'))}`);
