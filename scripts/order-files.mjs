// Places a limited order by the library on SQLite, and prints as JSON how many files and functions of dist/ ran for it, counted by V8.
// With --files it lists them on standard error. The first argument is an empty folder.
import { Session } from 'node:inspector/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = resolve(import.meta.dirname, '..');
const dist = `${pathToFileURL(join(root, 'dist'))}/`;
const [folder, list] = process.argv.slice(2);
const { createStakeport } = await import(`${dist}index.js`);
const { openSqlLedger } = await import(`${dist}adapters/sql/index.js`);

const ledger = await openSqlLedger(`sqlite:${join(folder, 'house.db')}`);
const stakeport = createStakeport({ ledger });
const account = 'house';
await stakeport.limits.set(account, {
  eventLossUsdc: 1000,
  marketLossUsdc: 1000,
  dailyStakeUsdc: 1000,
  openOrders: 100,
});
const place = () =>
  stakeport.orders.place({ account, market: 'rain', outcome: 'YES', price: '0.5', usdc: 5, paper: true });
// What is read for limits is known from the orders before.
for (let i = 0; i < 3; i += 1) await place();

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
await place();
const { result } = await session.post('Profiler.takePreciseCoverage');
const ran = result
  .filter(({ url }) => url.startsWith(dist))
  .map(({ url, functions }) => ({ url, count: functions.filter(({ ranges }) => ranges[0].count > 0).length }))
  .filter(({ count }) => count > 0);
if (list === '--files') for (const { url, count } of ran) console.error(`${count} ${url.slice(dist.length)}`);
console.log(
  JSON.stringify({
    'files run by a limited order on SQLite': ran.length,
    'functions run by it': ran.reduce((sum, { count }) => sum + count, 0),
  }),
);
await ledger.close();
process.exit(0);
