import { expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { Decision, Scope, Snapshot } from '../../../src/core/ledger/decision.js';
import { startBackground } from '../../../src/server/background/background.js';
import { TapeBookmark } from '../../../src/server/background/tape-bookmark.js';
import { createLogger } from '../../../src/server/http/log.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { ORDER, ORDERS, startApp } from '../../support/app.js';
import { anOrderContext } from '../../support/builders.js';
import { quotedMarkets, sourceOf } from '../../support/quoted-markets.js';
import { ManualTimeline } from '../../support/scripted-market.js';

const logger = createLogger('silent');
const GAME = { name: 'a game', speed: 2, ended: new Date('2026-03-01T14:00:00.000Z') };

/** Reports how long before its bookmark each equity point was when it was stored. */
class WatchedLedger extends MemoryLedger {
  readonly leads: number[] = [];

  override async write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    const bookmark = (await this.findBookmark(GAME.name))?.getTime() ?? 0;
    return super.write(scope, (now) => {
      const decision = decide(now);
      this.leads.push(...(decision.equity ?? []).map(({ at }) => bookmark - at.getTime()));
      return decision;
    });
  }
}

const idle = { run: async () => {} };

it('no equity point is ever later than the bookmark of the tape', async () => {
  const [ledger, data] = [new WatchedLedger(), quotedMarkets()];
  const timeline = new ManualTimeline('2026-03-01T12:03:10.000Z');
  const config = readConfig({ DATABASE_URL: 'memory:', EQUITY_EVERY: '7s' });
  const source = sourceOf(data, timeline);
  const container = createContainer(config, { ledger }, source);
  const { client } = await startApp({ ledger, markets: data, context: anOrderContext({ clock: timeline }) });
  const end = startBackground(
    container,
    config,
    timeline,
    logger,
    idle,
    new TapeBookmark(ledger, GAME, timeline, logger),
  );
  for (let n = 0; n < 3; n++) {
    await client.post(ORDERS, ORDER);
    await timeline.pass(7000);
  }
  expect(ledger.leads).toHaveLength(3);
  expect(Math.min(...ledger.leads)).toBeGreaterThanOrEqual(0);
  const stood = timeline.now().getTime() - ((await ledger.findBookmark(GAME.name))?.getTime() ?? 0);
  expect(stood).toBeLessThanOrEqual(GAME.speed * 1000);
  end();
});

it('a bookmark is never before the end of its tape', async () => {
  const [ledger, timeline] = [new MemoryLedger(), new ManualTimeline('2026-03-01T15:00:00.000Z')];
  await new TapeBookmark(ledger, GAME, timeline, logger).set();
  expect(await ledger.findBookmark(GAME.name)).toEqual(GAME.ended);
});

it('a bookmark that cannot be set stops no tape', async () => {
  const timeline = new ManualTimeline();
  const bookmarks = {
    findBookmark: async () => undefined,
    setBookmark: () => Promise.reject(new StorageUnavailable()),
  };
  await expect(new TapeBookmark(bookmarks, GAME, timeline, logger).set()).resolves.toBeUndefined();
});
