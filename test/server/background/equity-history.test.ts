import { expect, test } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { Timeline } from '../../../src/ports/system.js';
import { inFullIntervals, startBackground } from '../../../src/server/background/background.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { ORDER, ORDERS, PORTFOLIO, startApp } from '../../support/app.js';
import { anOrderContext } from '../../support/builders.js';
import { quotedMarkets, sourceOf } from '../../support/quoted-markets.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const MINUTE = 60_000;

/** A server with controlled time, in which 20 shares were bought at 0.5 and could be sold at 0.49. */
async function running(EQUITY_EVERY: string) {
  const [ledger, data] = [new MemoryLedger(), quotedMarkets()];
  const timeline = new ManualTimeline('2026-03-01T12:03:10.000Z');
  const config = readConfig({ DATABASE_URL: 'memory:', EQUITY_EVERY });
  const logger = createLogger('silent');
  const source = sourceOf(data, timeline);
  const container = createContainer(config, { ledger }, source);
  const { client } = await startApp({ ledger, markets: data, context: anOrderContext({ clock: timeline }) });
  await client.post(ORDERS, ORDER);
  const end = startBackground(container, config, timeline, logger, { run: async () => {} });
  const history = async () => (await client.get(`${PORTFOLIO}/history`)).json()['data'];
  return { client, timeline, end, history };
}

test("an account's equity is listed from the first full interval on", async () => {
  const { client, timeline, end, history } = await running('300s');
  await timeline.pass(2 * MINUTE - 10_001);
  expect(await history()).toEqual([]);
  await timeline.pass(1);
  const first = { at: '2026-03-01T12:05:00.000Z', cash_usdc: '990', value_usdc: '9.8', equity_usdc: '999.8' };
  expect(await history()).toMatchObject([{ ...first, unrealised_usdc: '-0.2', profit_usdc: '-0.2' }]);
  await client.post(ORDERS, ORDER);
  await timeline.pass(5 * MINUTE);
  const second = { at: '2026-03-01T12:10:00.000Z', cash_usdc: '980', value_usdc: '19.6', equity_usdc: '999.6' };
  expect(await history()).toMatchObject([second, first]);
  end();
  await client.post(ORDERS, ORDER);
  await timeline.pass(60 * MINUTE);
  expect(await history()).toHaveLength(2);
});

test('nothing is recorded while that is off', async () => {
  const { timeline, end, history } = await running('off');
  await timeline.pass(48 * 60 * MINUTE);
  expect(await history()).toEqual([]);
  end();
});

test('a timer that is early is waited for again', async () => {
  const slow = new ManualTimeline();
  let earlyMs = 1;
  const early: Timeline = {
    now: () => slow.now(),
    at(moment, task) {
      const callOff = slow.at(new Date(moment.getTime() - earlyMs), task);
      earlyMs = 0;
      return callOff;
    },
  };
  const ran: string[] = [];
  inFullIntervals(early, MINUTE).at(
    new Date('2026-03-01T12:01:30.000Z'),
    () => void ran.push(slow.now().toISOString()),
  );
  await slow.pass(2 * MINUTE);
  expect(ran).toEqual(['2026-03-01T12:01:00.000Z']);
});
