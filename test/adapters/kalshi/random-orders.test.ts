import fc from 'fast-check';
import { expect, test } from 'vitest';
import { within } from '../../support/runs.js';
import { aStory, KalshiStory, type Outcome } from './order-story.js';

/** Together more than a thousand orders that are sent; some thirty each, of which a few are denied before. */
const STORIES = 50;

/** How often each of these words occurs. */
const counts = (words: readonly string[]) =>
  Object.fromEntries([...new Set(words)].map((word) => [word, times(words, word)]));
const times = (words: readonly string[], word: string) => words.filter((one) => one === word).length;

test('cash, positions and fees of 1,000 random orders are those of the venue, to a millionth of a dollar', async () => {
  const told: Outcome[] = [];
  const story = fc.asyncProperty(aStory, async (one) => {
    const outcome = await KalshiStory.of(one);
    told.push(outcome);
    expect(outcome.wrong).toEqual([]);
  });
  await fc.assert(story, { numRuns: STORIES, plugins: [within(1_000_000)] });

  const sent = told.flatMap(({ orders }) => orders).filter(({ state }) => state !== 'denied');
  const fills = sent.flatMap((order) => order.fills);
  expect(sent.length).toBeGreaterThanOrEqual(1000);
  // What it is about occurs, and more than once: each kind of order, in part filled ones, both liquidities, netting, scalar results.
  const kinds = counts(sent.map(({ intent }) => `${intent.side} ${intent.outcome}`));
  expect(Object.values(kinds).filter((count) => count >= 20)).toHaveLength(4);
  expect(Object.values(counts(fills.map(({ liquidity }) => liquidity))).filter((count) => count >= 50)).toHaveLength(2);
  const isPart = ({ filled, intent }: (typeof sent)[number]) => filled.shares > 0n && filled.shares < intent.shares;
  expect(sent.filter(isPart).length).toBeGreaterThanOrEqual(50);
  expect(told.filter(({ pairs }) => pairs > 0n).length).toBeGreaterThanOrEqual(5);
  expect(told.filter(({ isScalar }) => isScalar).length).toBeGreaterThanOrEqual(5);
});
