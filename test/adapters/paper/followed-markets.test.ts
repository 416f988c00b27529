import { expect, it } from 'vitest';
import { BookPaperExchange } from '../../../src/adapters/paper/index.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { Market } from '../../../src/core/market/market.js';
import { marketsAt } from '../../../src/core/venues/venues.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../support/scripted-market.js';

const named = (id: string): Market => ({ ...aMarket(), id: id as MarketId });

it('a market being requested when the exchange closes is not followed', async () => {
  const time = new ManualTimeline();
  const markets = new ScriptedMarket(aMarket(), time);
  let answer = () => {};
  const stopped: string[] = [];
  markets.follow = () =>
    new Promise((resolve) => {
      answer = () => resolve({ stop: () => void stopped.push('stopped') });
    });
  const exchange = new BookPaperExchange({ markets: marketsAt(markets), timeline: time, sink: async () => {} });
  const preparing = exchange.local.prepare(named('asked for'));
  exchange.close();
  answer();
  await preparing;
  expect(stopped).toEqual(['stopped']);
});

it('a market without orders for 15 minutes is unfollowed unless kept', async () => {
  const time = new ManualTimeline();
  const followed = new Set<MarketId>();
  const markets = new ScriptedMarket(aMarket(), time);
  markets.follow = async ({ id }) => {
    followed.add(id);
    return { stop: () => void followed.delete(id) };
  };
  const exchange = new BookPaperExchange({ markets: marketsAt(markets), timeline: time, sink: async () => {} });
  await exchange.local.prepare(named('idle'));
  await exchange.keep(named('kept'));
  await time.pass(14 * 60_000);
  await exchange.local.prepare(named('asked for'));
  expect([...followed]).toEqual(['idle', 'kept', 'asked for']);
  await time.pass(2 * 60_000);
  await exchange.local.prepare(named('asked for'));
  expect([...followed]).toEqual(['kept', 'asked for']);
});
