// Shows a book on which a strategy bets, on the store in memory, and prints as JSON how many files and functions of dist/ ran from there to
// its order, counted by V8. With --files it lists them on standard error.
import { Session } from 'node:inspector/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const dist = `${pathToFileURL(join(root, 'dist'))}/`;
const load = (path) => import(`${dist}${path}`);
const { createStakeport } = await load('index.js');
const { runnerUseCase } = await load('core/usecases/compose-strategies.js');
const { RecentSkips } = await load('core/strategy/record/recent-skips.js');
const { unlistedMarket } = await load('core/market/market.js');
const { PaperExchange } = await load('adapters/paper/index.js');
const { systemTimeline } = await load('adapters/system/index.js');

const [account, id] = ['house', 'rain'];
const usual = unlistedMarket(id);
const market = {
  ...usual,
  sport: 'soccer',
  league: 'epl',
  status: 'open',
  startsAt: new Date(Date.now() + 3_600_000),
  outcomes: [
    { label: 'Home', tokenId: '1' },
    { label: 'Away', tokenId: '2' },
  ],
  terms: {
    tick: 10_000n,
    minShares: 5_000_000n,
    minNotional: 1_000_000n,
    fee: { rate: 0n, exponent: 1, takerOnly: true },
    negRisk: false,
    acceptingOrders: true,
    delaySeconds: 0,
    clearsBookAtStart: false,
    gtdLeadMs: 120_000,
    quoteStep: 10_000n,
  },
};
const listeners = new Set();
const marketData = {
  venue: usual.venue,
  find: async () => market,
  search: async () => ({ items: [market], next: null }),
  book: async () => ({ ...book, at: new Date(), fresh: true }),
  follow: async (_, listener) => {
    listeners.add(listener);
    await listener({ type: 'book', ...book, at: new Date() });
    return { stop: () => listeners.delete(listener) };
  },
};
const level = (price) => ({ price, shares: 1_000_000_000n });
let book = { bids: [], asks: [] };
async function show(bid, ask) {
  book = { bids: [level(bid)], asks: [level(ask)] };
  for (const listener of [...listeners]) await listener({ type: 'book', ...book, at: new Date() });
}

const stakeport = createStakeport({ marketData, paper: new PaperExchange() });
await stakeport.limits.set(account, {
  eventLossUsdc: 1000,
  marketLossUsdc: 1000,
  dailyStakeUsdc: 1000,
  openOrders: 100,
});
const backs = (minOdds) =>
  stakeport.strategies.create({
    account,
    name: `home at ${minOdds}`,
    sport: 'soccer',
    automation: 'auto',
    bankrollCap: 1000,
    stakeCap: 50,
    rules: { outcome: { index: 0 }, filter: { minOdds }, sizing: { method: 'flat', value: 5 } },
  });
for (const minOdds of ['1.9', '2', '2.1']) await backs(minOdds);
const runner = runnerUseCase({ ...stakeport.ports, timeline: systemTimeline }, new RecentSkips(), console.error);
await runner.refreshStrategies();
await runner.refreshMarkets();
const orders = async () => (await stakeport.orders.list(account)).items.length;
// What is read for limits is known from the bets before.
for (const cents of [52n, 49n]) await show((cents - 2n) * 10_000n, cents * 10_000n);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
await show(450_000n, 470_000n);
const { result } = await session.post('Profiler.takePreciseCoverage');
if ((await orders()) !== 3) throw new Error('not every strategy has bet');
const ran = result
  .filter(({ url }) => url.startsWith(dist))
  .map(({ url, functions }) => ({ url, count: functions.filter(({ ranges }) => ranges[0].count > 0).length }))
  .filter(({ count }) => count > 0);
if (process.argv[2] === '--files')
  for (const { url, count } of ran) console.error(`${count} ${url.slice(dist.length)}`);
console.log(
  JSON.stringify({
    'files run from the change of a book to the order': ran.length,
    'functions run by that': ran.reduce((sum, { count }) => sum + count, 0),
  }),
);
process.exit(0);
