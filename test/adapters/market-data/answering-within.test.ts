import { createHook } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { answeringWithin, NoMarketData } from '../../../src/adapters/market-data/index.js';
import { MarketDataUnavailable, MarketUnusable } from '../../../src/core/errors.js';
import type { MarketData } from '../../../src/ports/market-data.js';
import { aMarket, MARKET } from '../../support/builders.js';
import { quotedMarkets } from '../../support/quoted-markets.js';

const source = (changes: Partial<MarketData>): MarketData => Object.assign(new NoMarketData(), changes);
const never = () => new Promise<never>(() => {});

/** The timers that `ask` begins before it returns; those of the test runner are not among them. */
function timersOf(ask: () => Promise<void>): { answered: Promise<void>; timers: NodeJS.Timeout[] } {
  const timers: NodeJS.Timeout[] = [];
  const begun = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'Timeout') timers.push(resource as NodeJS.Timeout);
    },
  }).enable();
  const answered = ask();
  begun.disable();
  return { answered, timers };
}

/** True while one of these timers keeps the process alive. */
const holding = (timers: readonly NodeJS.Timeout[]) => timers.some((timer) => timer.hasRef());

test('an answer in time is passed on, and its timer keeps no process alive', async () => {
  const [plain, prompt] = [quotedMarkets(), answeringWithin(60_000, quotedMarkets())];
  const { answered, timers } = timersOf(async () => {
    const [found, book] = [prompt.find(MARKET), prompt.book(aMarket())];
    expect(await found).toEqual(await plain.find(MARKET));
    expect(await book).toEqual(await plain.book(aMarket()));
  });
  expect(timers).toHaveLength(1);
  await answered;
  expect(holding(timers)).toBe(false);
});

test('an error is passed on, and its timer keeps no process alive', async () => {
  const unusable = new MarketUnusable('not_binary', 'The market does not have exactly two outcomes.');
  const prompt = answeringWithin(60_000, source({ find: () => Promise.reject(unusable) }));
  const { answered, timers } = timersOf(() => expect(prompt.find(MARKET)).rejects.toBe(unusable));
  expect(timers).toHaveLength(1);
  await answered;
  expect(holding(timers)).toBe(false);
});

test('a source that answers late counts as silent', async () => {
  const prompt = answeringWithin(5, source({ find: never, book: never }));
  await expect(prompt.find(MARKET)).rejects.toThrow(MarketDataUnavailable);
  await expect(prompt.book(aMarket())).rejects.toThrow(MarketDataUnavailable);
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
