import { expect, it } from 'vitest';
import { NoMarketData } from '../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { systemTimeline } from '../../../src/adapters/system/index.js';
import { readConfig } from '../../../src/server/settings/config.js';
import { createContainer } from '../../../src/server/wiring/container.js';
import { VENUES } from '../../../src/server/wiring/tokens.js';
import { venueName } from '../../../src/stakeport/input.js';
import { sourceOf } from '../../support/quoted-markets.js';

/** The default venue of a server on two, first and second, with this setting. */
function defaultOf(env: Readonly<Record<string, string>>): string {
  const config = readConfig({ DATABASE_URL: 'memory:', ...env });
  const [first, second] = ['first', 'second'].map((name) =>
    sourceOf(new NoMarketData(venueName(name)), systemTimeline),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  const others = [{ source: second, live: null }];
  const container = createContainer(config, { ledger: new MemoryLedger() }, first, null, others);
  return container.get(VENUES).default.marketData.venue;
}

it('a request without a venue goes to the first or to DEFAULT_VENUE', () => {
  expect(defaultOf({})).toBe('first');
  expect(defaultOf({ DEFAULT_VENUE: 'second' })).toBe('second');
});

it('an unknown default venue is a configuration mistake that lists valid names', () => {
  expect(() => defaultOf({ DEFAULT_VENUE: 'third' })).toThrow('DEFAULT_VENUE must be one of first, second; got third');
  expect(() => defaultOf({ DEFAULT_VENUE: 'Third' })).toThrow(/DEFAULT_VENUE must be 1 to 32 of a to z/);
});
