import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../src/adapters/market-data/index.js';
import type { MarketId } from '../../src/core/ids.js';
import type { Market } from '../../src/core/market/market.js';
import {
  createStakeport,
  type SaidOfMarket,
  SignalNotFound,
  type SignalRequest,
  SignalsInvalid,
  type StakeportOptions,
} from '../../src/index.js';
import { ALICE, clockAt, MARKET, NOON, WHERE } from '../support/builders.js';
import { AT_ONE, aGame, aSignal, MODEL } from '../support/signals.js';

class Games extends NoMarketData {
  override find = async (id: MarketId): Promise<Market> => aGame(id, { venue: this.venue });
}

const stakeportWith = (options: StakeportOptions = {}) =>
  createStakeport({ marketData: new Games(), clock: { ...clockAt(NOON), at: () => () => {} }, ...options });

const REQUEST: SignalRequest = {
  account: 'alice',
  name: 'elo-2',
  market: MARKET,
  source: 'a test',
  probabilities: { Bucks: 0.57 },
  expiresAt: AT_ONE,
};

describe('A program that embeds it', () => {
  it('puts, reads, lists and removes what its model says', async () => {
    const { signals } = stakeportWith();
    expect(await signals.put(REQUEST)).toEqual(aSignal());
    expect(await signals.get('alice', 'elo-2', MARKET)).toEqual(aSignal());
    const said = { market: 'b', probabilities: { Thunder: '0.25' }, expiresAt: AT_ONE };
    const [other] = await signals.putAll('alice', 'elo-2', [said]);
    const { items, next } = await signals.list('alice', { name: 'elo-2', limit: 1 });
    expect([items, next]).toEqual([[other], other]);
    expect((await signals.list('alice', { limit: 1, after: next ?? aSignal() })).items).toEqual([aSignal()]);
    expect((await signals.list('alice', { market: MARKET })).items).toEqual([aSignal()]);
    expect((await signals.list('bob')).items).toEqual([]);
    expect(await signals.remove('alice', 'elo-2', MARKET)).toEqual(aSignal());
    await expect(signals.get('alice', 'elo-2', MARKET)).rejects.toThrow(SignalNotFound);
  });

  it.each([
    ['name', { name: 'a b' }],
    ['market', { market: 'a b' }],
    ['venue', { venue: 'No Where' }],
    ['account', { account: '' }],
    ['probabilities.Bucks', { probabilities: { Bucks: 1 } }],
    ['probabilities.Bucks', { probabilities: { Bucks: 0.1234567 } }],
    ['probabilities', { probabilities: null as never }],
    ['expiresAt', { expiresAt: new Date(Number.NaN) }],
    ['source', { source: ' ' }],
    ['prob', { prob: 1 }],
  ])('gets an error that names the invalid member: %s', async (member, wrong) => {
    await expect(stakeportWith().signals.put({ ...REQUEST, ...wrong })).rejects.toMatchObject({ member });
  });

  it('gets an error for unknown outcomes, empty lists and long lists', async () => {
    const { signals } = stakeportWith();
    const refused = signals.put({ ...REQUEST, probabilities: { Lakers: 0.5 } });
    await expect(refused).rejects.toThrow(SignalsInvalid);
    await expect(refused).rejects.toThrow('its outcomes are Bucks and Thunder');
    for (const many of [0, 101]) {
      const list = Array.from({ length: many }, () => REQUEST);
      await expect(signals.putAll('alice', 'elo-2', list)).rejects.toMatchObject({ member: 'signals' });
    }
  });
});

describe('A model that computes when it is asked', () => {
  const question = { account: ALICE, name: MODEL, ...WHERE, market: aGame(MARKET) };
  const answering = (said: SaidOfMarket | undefined) => {
    const asked: unknown[] = [];
    const stakeport = stakeportWith({
      signals: async (about) => {
        asked.push(about);
        return said;
      },
    });
    return { asked, stakeport, find: () => stakeport.ports.signals?.find(question) };
  };

  it('is asked with the market, and its answer equals a stored signal', async () => {
    const { asked, find } = answering({ probabilities: { Bucks: 0.57 }, expiresAt: AT_ONE, source: 'a test' });
    expect(await find()).toEqual(aSignal());
    expect(asked).toEqual([{ account: ALICE, name: MODEL, market: question.market }]);
  });

  it('falls back to the stored signal when it returns nothing', async () => {
    const { stakeport, find } = answering(undefined);
    expect(await find()).toBeUndefined();
    await stakeport.signals.put(REQUEST);
    expect(await find()).toEqual(aSignal());
  });

  it('is not taken at its word when that cannot be right', async () => {
    for (const [member, probabilities] of [
      ['probabilities.Lakers', { Lakers: 0.5 }],
      ['probabilities', { Bucks: 0.5, Thunder: 0.6 }],
      ['probabilities.Bucks', { Bucks: 0 }],
    ] as const)
      await expect(answering({ probabilities, expiresAt: AT_ONE }).find()).rejects.toMatchObject({ member });
  });

  it('is the store, where there is no model', async () => {
    const { ports, signals } = stakeportWith();
    await signals.put(REQUEST);
    expect(await ports.signals?.find(question)).toEqual(aSignal());
  });
});
