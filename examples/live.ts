// Real money from a program of your own, without a server: one order at Polymarket, from the key to records that agree
// with the venue. It buys when you run it. Use it with a wallet that holds little.
//
//   KEY_FILE=~/stakeport.key DATABASE=sqlite:live.db npx tsx examples/live.ts MARKET PRICE DOLLARS
import { createStakeport, formatMicro, freeCash, statusOf, usdc } from 'stakeport';
import { liveUseCases } from 'stakeport/core';
import { monotonic, systemClock, uuidV7 } from 'stakeport/memory';
import { connectPolymarket, KeyFileSigner, PolymarketMarketData } from 'stakeport/polymarket';
import { openSqlLedger } from 'stakeport/sql';

const { GAMMA = 'https://gamma-api.polymarket.com', CLOB = 'https://clob.polymarket.com' } = process.env;
const { STREAM = 'wss://ws-subscriptions-clob.polymarket.com', DATABASE = '', KEY_FILE = '' } = process.env;
const [market = '', limit = '', dollars = ''] = process.argv.slice(2);
const account = 'me';
const wallet = { chainId: 137, signatureType: 0 } as const;
const venueAt = { clob: new URL(CLOB), stream: new URL(STREAM), clock: systemClock };

const signer = await KeyFileSigner.open(KEY_FILE, { ...wallet, notionalCap: usdc('10') });
const alarm = (what: string, order: string) => console.error(`look at order ${order}: ${what}`);
const report = (reason: string) => console.error(reason);
const venue = await connectPolymarket({
  ...venueAt,
  ...wallet,
  signer,
  credentials: null,
  stopwatch: monotonic,
  alarm,
  report,
});
const ledger = await openSqlLedger(DATABASE);
const markets = new PolymarketMarketData({ ...venueAt, gamma: new URL(GAMMA), report });

const stakeport = createStakeport({ ledger, marketData: markets, live: venue.exchange, redemption: venue.redemption });
const atVenue = { exchange: venue.exchange, jobs: ledger, externals: ledger };
const { lookAfter, reconcile } = liveUseCases(stakeport.ports, atVenue);

// No order is sent before the records agree with what the venue shows.
const yesterday = new Date(Date.now() - 86_400_000);
while (!(await reconcile.execute(yesterday)).complete)
  console.error('the venue has not sent all orders and trades yet');
console.log('the record agrees with the venue');

await stakeport.accounts.allowLive(account, true);
await stakeport.accounts.deposit(account, dollars);
// A new key is a new order. In your program, store the key with the reason for the order, and use it again for a repetition.
let order = await stakeport.orders.place({
  account,
  market,
  outcome: 'YES',
  price: limit,
  usdc: dollars,
  timeInForce: 'FAK',
  paper: false,
  idempotencyKey: uuidV7.next(),
});

// An unknown order is looked up at the venue, and never sent again. Your program would go on for as long as it runs.
for (let looks = 0; looks < 40 && statusOf(order) === 'unknown'; looks++) {
  await new Promise((resolve) => setTimeout(resolve, 5000));
  await lookAfter.execute();
  order = await stakeport.orders.get(account, order.id);
}
console.log(`order ${statusOf(order)}${order.refusal === null ? '' : `: ${order.refusal.message}`}`);
const { shares, notional } = order.filled;
const free = formatMicro(freeCash((await stakeport.accounts.show(account)).balance));
console.log(`${formatMicro(shares)} shares for ${formatMicro(notional)} USDC; ${free} USDC are free`);

await venue.close();
await stakeport.close();
