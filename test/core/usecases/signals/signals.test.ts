import { beforeEach, describe, expect, test } from 'vitest';
import { NoMarketData } from '../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { MarketDataUnavailable, MarketNotFound, MarketUnusable } from '../../../../src/core/errors.js';
import type { MarketId, VenueName } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import type { Signal, SignalDraft, SignalName } from '../../../../src/core/signal/signal.js';
import { SignalNotFound, SignalsInvalid, TooManySignals } from '../../../../src/core/signal/signal-errors.js';
import { MarketFilters } from '../../../../src/core/usecases/markets/market-filters.js';
import { CompleteSignal } from '../../../../src/core/usecases/signals/complete-signal.js';
import { PutSignals } from '../../../../src/core/usecases/signals/put-signals.js';
import { ReadSignals } from '../../../../src/core/usecases/signals/read-signals.js';
import { RemoveSignal } from '../../../../src/core/usecases/signals/remove-signal.js';
import { Venues } from '../../../../src/core/venues/venues.js';
import { ALICE, BOB, clockAt, MARKET, NOON } from '../../../support/builders.js';
import { ScriptedExchange } from '../../../support/scripted-exchange.js';
import { AT_ONE, aGame, aSignal, aSignalDraft, given, MODEL } from '../../../support/signals.js';

/** Games between the Bucks and the Thunder, each under its id and its slug; takes note of what is asked. */
class Games extends NoMarketData {
  readonly asked: string[] = [];
  refusal: Error | null = null;

  override async find(id: MarketId): Promise<Market> {
    this.asked.push(id);
    if (this.refusal !== null) throw this.refusal;
    if (id.startsWith('unknown')) throw new MarketNotFound(id);
    return aGame(id.replace(/^game-/, '') as MarketId, { venue: this.venue });
  }
}

const owner = { account: ALICE, name: MODEL };
const market = (id: string) => id as MarketId;
const [GAME, SLUG] = [MARKET, market(`game-${MARKET}`)];
let games: Games;
let store: MemoryLedger['signals'];
let clock: ReturnType<typeof clockAt>;
let put: PutSignals;
let read: ReadSignals;
let remove: RemoveSignal;

beforeEach(() => {
  [games, clock] = [new Games(), clockAt(NOON)];
  store = new MemoryLedger(clock).signals;
  const other = new Games('other' as VenueName);
  const venue = (marketData: Games) => ({ marketData, live: null, settlesInCash: false, redemption: null });
  const venues = new Venues(new ScriptedExchange(), [venue(games), venue(other)]);
  put = new PutSignals(store, new CompleteSignal(store, venues), clock, 3);
  read = new ReadSignals(store, venues, new MarketFilters(new MemoryLedger(clock), venues));
  remove = new RemoveSignal(store, read);
});

const say = (...drafts: Partial<SignalDraft>[]) => put.execute({ ...owner, drafts: drafts.map(aSignalDraft) });

/** Where each fault is, and its words. */
async function faultsOf(putting: Promise<unknown>): Promise<string[]> {
  const refused = await putting.then(() => null).catch((error: unknown) => error);
  if (!(refused instanceof SignalsInvalid)) throw new Error(`not refused as invalid: ${refused}`);
  return refused.faults.map(({ at, member, label, words }) => `${at} ${member} ${label ?? ''}: ${words}`);
}

describe('what a model says', () => {
  test('is stored with both probabilities, under the market id of its venue', async () => {
    const [signal] = await say({ marketId: SLUG, source: 'v2' });
    expect(signal).toEqual(aSignal({ source: 'v2' }));
    expect(await read.one(owner, null, GAME)).toEqual(signal);
    expect(await read.one(owner, null, SLUG)).toEqual(signal);
  });

  test('keeps its market known to lists after its source drops it', async () => {
    await say({});
    games.refusal = new MarketNotFound(GAME);
    const list = (name: SignalName, marketId = GAME) => read.many(ALICE, { name, marketId }, { limit: 10 });
    expect((await list('another' as SignalName)).items).toEqual([]);
    await expect(list('another' as SignalName, market('other'))).rejects.toThrow(MarketNotFound);
  });

  test('replaces the previous signal of its model', async () => {
    await say({});
    const again = await say({ probabilities: given({ Thunder: '0.5' }) });
    expect(await read.one(owner, null, GAME)).toEqual(again[0]);
    expect(await say({ probabilities: given({ Thunder: '0.5' }) })).toEqual(again);
    expect(await store.count(ALICE)).toBe(1);
  });

  test('asks the venue for a market once, and again for unknown labels', async () => {
    for (let n = 0; n < 3; n++) await say({});
    expect(games.asked).toEqual([GAME]);
    expect(await faultsOf(say({ probabilities: given({ Lakers: '0.5' }) }))).toHaveLength(1);
    expect(games.asked).toEqual([GAME, GAME]);
  });

  test('is stored while market data is away, where the market is known', async () => {
    await say({});
    games.refusal = new MarketDataUnavailable();
    await say({ probabilities: given({ Bucks: '0.6' }) });
    await expect(say({ marketId: market('new') })).rejects.toThrow(MarketDataUnavailable);
    expect((await read.one(owner, null, GAME)).first.probability).toBe(600_000n);
  });

  test('is stored for all markets of a list or for none', async () => {
    const late = new Date(NOON);
    const list = [
      {},
      { marketId: market('unknown-1') },
      { marketId: market('b'), expiresAt: late, probabilities: given({ x: '0.5' }) },
    ];
    expect(await faultsOf(say(...list, { marketId: market('c'), venue: 'nowhere' as VenueName }))).toEqual([
      '1 marketId : cannot be taken: The venue has no market with this id',
      `2 expiresAt : must be later than the time of the markets, which is ${NOON}`,
      '2 probabilities x: is no outcome of this market: its outcomes are Bucks and Thunder',
      '3 venue : cannot be taken: There is no venue nowhere here. Name one of: none, other',
    ]);
    expect(await store.count(ALICE)).toBe(0);
  });

  test('may name each market only once per list, by id or slug', async () => {
    expect(await faultsOf(say({}, { marketId: market('b') }, { marketId: SLUG }))).toEqual([
      '2 marketId : is in the list before',
    ]);
    expect(await say({}, { venue: 'other' as VenueName })).toHaveLength(2);
  });

  test('is refused for an unlisted market or one with indistinguishable outcomes', async () => {
    games.refusal = new MarketUnusable('outcomes', 'Its outcomes cannot be told apart.');
    const words = '0 marketId : cannot be taken: Its outcomes cannot be told apart';
    expect(await faultsOf(say({}))).toEqual([words]);
    const venue = { marketData: new NoMarketData(), live: null, settlesInCash: false, redemption: null };
    const without = new CompleteSignal(store, new Venues(new ScriptedExchange(), [venue]));
    expect(await without.execute(owner, aSignalDraft(), clock.now())).toMatchObject({
      faults: [{ member: 'marketId' }],
    });
  });
});

describe('an account', () => {
  const three = () => say({}, { marketId: market('b') }, { marketId: market('c') });

  test('may store a limited number of signals and still renew each one', async () => {
    await three();
    await expect(say({ marketId: market('d') })).rejects.toThrow(TooManySignals);
    await expect(say({}, { marketId: market('d') })).rejects.toThrow(TooManySignals);
    for (let n = 0; n < 3; n++) await three();
    expect(await store.count(ALICE)).toBe(3);
    await put.execute({ account: BOB, name: MODEL, drafts: [aSignalDraft()] });
  });

  test('has room again for what was removed, and for what has expired', async () => {
    await three();
    await remove.execute(owner, null, market('b'));
    await say({ marketId: market('d') });
    await expect(say({ marketId: market('e') })).rejects.toThrow(TooManySignals);
    clock.tick(AT_ONE.getTime() - Date.parse(NOON));
    const expiresAt = new Date(AT_ONE.getTime() + 1000);
    await say({ marketId: market('e'), expiresAt });
    expect(await store.count(ALICE)).toBe(1);
  });
});

describe('a signal that is not there', () => {
  const refused = (reading: Promise<Signal>) => expect(reading).rejects.toThrow(SignalNotFound);

  test('is neither read nor removed: of another model, account, market or venue', async () => {
    await say({});
    for (const action of [read.one.bind(read), remove.execute.bind(remove)]) {
      await refused(action({ ...owner, account: BOB }, null, GAME));
      await refused(action({ account: ALICE, name: 'other' as typeof MODEL }, null, SLUG));
      await refused(action(owner, 'other' as VenueName, GAME));
      await refused(action(owner, null, market('b')));
    }
    expect(await remove.execute(owner, null, SLUG)).toEqual(aSignal({ source: null }));
    await refused(remove.execute(owner, null, GAME));
  });

  test('is removed by market id while market data is unavailable', async () => {
    await say({});
    games.refusal = new MarketDataUnavailable();
    await remove.execute(owner, null, GAME);
    expect(await store.count(ALICE)).toBe(0);
  });
});
