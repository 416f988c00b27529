import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStakeport, InputInvalid, type MarketNews } from '../../src/index.js';
import { aMarket, CONDITION, ManualTimeline, ScriptedMarket } from '../support/scripted-market.js';

function fixture() {
  const clock = new ManualTimeline();
  const rain = new ScriptedMarket(aMarket(), clock, '0.40x10 0.39x5', '0.42x10');
  const { markets } = createStakeport({ marketData: rain, clock });
  return { rain, markets };
}

const kinds = (heard: readonly MarketNews[]) => heard.map(({ type }) => type);

test('several markets are followed, each as it is and then by what is new', async () => {
  const { rain, markets } = fixture();
  const heard: MarketNews[] = [];
  const following = await markets.follow({ markets: [CONDITION], depth: 2 }, (news) => heard.push(news));
  expect(kinds(heard)).toEqual(['market', 'book']);
  await rain.trade('0.42', '5', 'BUY');
  await rain.show('0.41x1', '0.42x10');
  await expect.poll(() => kinds(heard)).toEqual(['market', 'book', 'trade', 'book']);
  following.stop();
  await rain.show('0.39x1', '0.42x10');
  await setImmediate();
  expect([heard.length, rain.isFollowed]).toEqual([4, false]);
});

test('a listener that is busy gets the newest book, and what it throws is told', async () => {
  const { rain, markets } = fixture();
  const heard: MarketNews[] = [];
  const faults: unknown[] = [];
  let free = () => {};
  const onFault = (error: unknown) => faults.push(error);
  const following = markets.follow({ markets: [CONDITION], onFault }, async (news) => {
    heard.push(news);
    if (news.type === 'market')
      await new Promise<void>((resolve) => {
        free = resolve;
      });
    else throw new Error('the listener broke');
  });
  await expect.poll(() => heard.length).toBe(1);
  for (const size of ['1', '2', '3']) await rain.show(`0.40x${size}`, '0.42x10');
  free();
  await following;
  expect(heard.flatMap((news) => (news.type === 'book' ? [news.book.bids[0]?.shares] : []))).toEqual([3_000_000n]);
  expect(faults).toHaveLength(1);
});

test.each([[{ markets: [] }], [{ markets: [CONDITION], depth: 0 }], [{ markets: ['a b'] }]])(
  'a request of %o is refused',
  async (request) => {
    await expect(fixture().markets.follow(request, () => {})).rejects.toThrow(InputInvalid);
  },
);
