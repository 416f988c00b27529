import { describe, expect, it } from 'vitest';
import {
  MARKET_STATUSES,
  type MarketFacts,
  marketStatus,
  NO_WON,
  type ResolutionClaim,
  YES_WON,
} from '../../../src/core/market/lifecycle.js';
import { at } from '../matching/view.js';

const claim = (source: string, changes: Partial<ResolutionClaim> = {}): ResolutionClaim => ({
  source,
  status: 'final',
  payout: YES_WON,
  ...changes,
});

const OPEN: MarketFacts = {
  acceptingOrders: true,
  acceptsFrom: null,
  closed: false,
  startsAt: at(1_000),
  live: false,
  claims: [],
  amended: false,
};

const CONFIRMED = [claim('gamma'), claim('chain')];

describe('The status of a market', () => {
  it.each<[string, Partial<MarketFacts>, string]>([
    ['orders are taken before the start', {}, 'open'],
    ['no start is known', { startsAt: null }, 'open'],
    ['the start has come', { startsAt: at(0) }, 'in_play'],
    ['the game is on before its time', { live: true }, 'in_play'],
    ['the game is on and its start is not known', { live: true, startsAt: null }, 'in_play'],
    ['orders are taken from later on', { acceptingOrders: false, acceptsFrom: at(1) }, 'upcoming'],
    ['orders should be taken by now', { acceptingOrders: false, acceptsFrom: at(0) }, 'suspended'],
    ['no orders are taken and it is not known from when', { acceptingOrders: false }, 'suspended'],
    ['no orders are taken in the game', { acceptingOrders: false, live: true }, 'suspended'],
    ['trading has ended', { closed: true }, 'closed'],
    ['trading has ended, despite all other facts', { closed: true, live: true, acceptingOrders: false }, 'closed'],
    ['a result is proposed', { closed: true, claims: [claim('gamma', { status: 'proposed' })] }, 'resolving'],
    ['one source alone calls it final', { closed: true, claims: [claim('gamma')] }, 'resolving'],
    [
      'two sources disagree',
      { closed: true, claims: [claim('gamma'), claim('chain', { payout: NO_WON })] },
      'resolving',
    ],
    ['a source disputes it', { claims: [...CONFIRMED, claim('oracle', { status: 'disputed' })] }, 'disputed'],
    ['two sources call it final', { closed: true, claims: CONFIRMED }, 'resolved'],
    ['two sources do while it still takes orders', { claims: CONFIRMED }, 'resolved'],
    ['the result is another one than before', { closed: true, claims: CONFIRMED, amended: true }, 'amended'],
    ['a result was amended and is open again', { closed: true, claims: [claim('gamma')], amended: true }, 'resolving'],
  ])('when %s', (_, changes, status) => {
    expect(marketStatus({ ...OPEN, ...changes }, at(0))).toBe(status);
    expect(MARKET_STATUSES).toContain(status);
  });
});
