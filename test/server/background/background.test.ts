import { expect, it } from 'vitest';
import { startBackground } from '../../../src/server/background/background.js';
import { createLogger } from '../../../src/server/http/log.js';
import { USE_CASES } from '../../../src/server/wiring/tokens.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const HOUR = 3_600_000;

it('first prices are forgotten each hour of the time of the markets', async () => {
  const timeline = new ManualTimeline();
  let forgotten = 0;
  const execute = async () => {
    forgotten += 1;
    return 0;
  };
  const useCases = { strategies: { forgetFirstPrices: { execute } }, limits: { watch: {} } };
  const container = { get: (token: unknown) => (token === USE_CASES ? useCases : {}) } as never;
  const may = { work: () => false, watch: () => false, changes: () => () => false };
  const terms = { equityEveryMs: null, eventsKeepMs: null };
  const end = startBackground(container, terms, timeline, createLogger('silent'), { run: async () => {} }, null, may);
  await timeline.pass(3 * HOUR);
  end();
  await timeline.pass(3 * HOUR);
  expect(forgotten).toBe(3);
});
