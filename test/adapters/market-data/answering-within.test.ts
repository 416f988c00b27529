import { expect, test } from 'vitest';
import { answeringWithin, NoMarketData } from '../../../src/adapters/market-data/index.js';
import { MarketDataUnavailable, MarketUnusable } from '../../../src/core/errors.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { aMarket, MARKET } from '../../support/builders.js';
import { quotedMarkets } from '../../support/quoted-markets.js';

const source = (changes: Partial<MarketData>): MarketData => Object.assign(new NoMarketData(), changes);
const never = () => new Promise<never>(() => {});
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('an answer in time is passed on, and its timer is cleared', async () => {
  const before = timers();
  const [plain, prompt] = [quotedMarkets(), answeringWithin(60_000, quotedMarkets())];
  expect(await prompt.find(MARKET)).toEqual(await plain.find(MARKET));
  expect(await prompt.book(aMarket())).toEqual(await plain.book(aMarket()));
  expect(timers()).toBe(before);
});

test('an error is passed on, and its timer is cleared', async () => {
  const before = timers();
  const unusable = new MarketUnusable('not_binary', 'The market does not have exactly two outcomes.');
  const prompt = answeringWithin(60_000, source({ find: () => Promise.reject(unusable) }));
  await expect(prompt.find(MARKET)).rejects.toBe(unusable);
  expect(timers()).toBe(before);
});

test('a source that answers late counts as silent, and leaves no timer', async () => {
  const before = timers();
  const prompt = answeringWithin(5, source({ find: never, book: never }));
  await expect(prompt.find(MARKET)).rejects.toThrow(MarketDataUnavailable);
  await expect(prompt.book(aMarket())).rejects.toThrow(MarketDataUnavailable);
  expect(timers()).toBe(before);
});

test('an error that comes too late is ignored', async () => {
  let fail = (_: Error) => {};
  const find = () =>
    new Promise<never>((_, reject) => {
      fail = reject;
    });
  const prompt = answeringWithin(5, source({ find }));
  await expect(prompt.find(MARKET)).rejects.toThrow(MarketDataUnavailable);
  fail(new Error('too late'));
});
