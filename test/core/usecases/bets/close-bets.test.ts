import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/index.js';
import { openTape } from '../../../../src/adapters/tape/index.js';
import { MarketDataUnavailable } from '../../../../src/core/errors.js';
import type { MarketId } from '../../../../src/core/ids.js';
import { YES_WON } from '../../../../src/core/market/lifecycle.js';
import { type Market, NO_VENUE } from '../../../../src/core/market/market.js';
import type { BetRow } from '../../../../src/core/performance/bet.js';
import type { MarketData } from '../../../../src/ports/market-data.js';
import { tape } from '../../../adapters/tape/tapes.js';
import { ALICE, anOrderContext, BOB, NOON, price, usdc } from '../../../support/builders.js';
import { aMatch, inTime, says, shows } from '../../../support/match-day.js';
import { aMarket, ManualTimeline, ScriptedMarket } from '../../../support/scripted-market.js';
import { Trading } from '../../../support/trading.js';

const MINUTE = 60_000;
const [HOME, DRAW] = ['home', 'draw'] as const;
const startsAt = new Date(Date.parse(NOON) + 30 * MINUTE);

const game = (id: string, changes: Partial<Market> = {}): Market =>
  aMarket({}, { id: id as MarketId, slug: id, venueId: id, startsAt, sport: 'soccer', kind: 'moneyline', ...changes });

/** Several markets of one venue. */
class Board implements MarketData {
  readonly venue = NO_VENUE;
  /** Descriptions that changed. */
  readonly described = new Map<string, Market>();
  isSilent = false;

  constructor(readonly markets: readonly ScriptedMarket[]) {}

  at = (id: string) => this.markets.find(({ market }) => market.id === id) as ScriptedMarket;

  async find(id: MarketId) {
    if (this.isSilent) throw new MarketDataUnavailable();
    return this.described.get(id) ?? (await this.at(id)?.find(id));
  }

  search = async () => ({ items: this.markets.map(({ market }) => market), next: null });
  book = ({ id }: Market) => this.at(id).book();
  follow: MarketData['follow'] = (market, listener) => this.at(market.id).follow(market, listener);
}

/** A program that follows markets for what bets close at, each turn at the call of the test; by default of one game. */
function fixture(games: readonly Market[] = [game(HOME)]) {
  const timeline = new ManualTimeline();
  const board = new Board(games.map((market) => new ScriptedMarket(market, timeline, '0.50x100', '0.52x100')));
  const options = { markets: board, context: anOrderContext({ clock: timeline }) };
  const trading = new Trading(new MemoryLedger(), options);
  let { bets } = trading.use;
  const turn = async () => {
    await bets.keepAll.execute();
    const before = await bets.close.execute();
    // What it began with market data is done a few promises later.
    for (let n = 0; n < 5; n += 1) await setImmediate();
    return [...before, ...(await bets.close.execute())];
  };
  return {
    board,
    timeline,
    trading,
    turn,
    /** The program ends, and another one goes on with what is stored. */
    restart() {
      bets.close.stop();
      bets = new Trading(trading.ledger, options).use.bets;
    },
    buy: (market: string = HOME, account = ALICE) =>
      trading.place({ account, marketId: market as MarketId, price: price('0.52'), size: usdc('10.4') }),
    /** Lets so much time pass, and has a turn then. */
    async pass(minutes: number) {
      await timeline.pass(minutes * MINUTE);
      await turn();
    },
    closes: async (account = ALICE) =>
      (await trading.ledger.bets.find(account, {})).map(({ close }: BetRow) =>
        typeof close === 'string' ? close : [close.price, close.fair.d],
      ),
  };
}

describe('The close of a bet', () => {
  it('is the last middle before the start, stored once that has passed', async () => {
    const { board, buy, pass, closes } = fixture();
    await buy();
    await pass(18);
    expect(board.at(HOME).isFollowed).toBe(false);
    await pass(2);
    expect([board.at(HOME).isFollowed, await closes()]).toEqual([true, ['not_started']]);
    await board.at(HOME).show('0.56x10', '0.58x10');
    await pass(11);
    expect([board.at(HOME).isFollowed, await closes()]).toEqual([false, [[570_000n, 1_000_000n]]]);
  });

  it('does not see what the start itself brings', async () => {
    const { board, buy, timeline, turn, closes } = fixture();
    await buy();
    await timeline.pass(20 * MINUTE);
    await turn();
    await timeline.pass(10 * MINUTE);
    await board.at(HOME).show('', '');
    await board.at(HOME).show('0.9x10', '0.92x10');
    await turn();
    expect(await closes()).toEqual([[510_000n, 1_000_000n]]);
  });

  it('is none after a gap, and where the program came too late', async () => {
    const first = fixture();
    await first.buy();
    await first.pass(20);
    await first.board.at(HOME).tell({ type: 'gap', reason: 'no connection' });
    await first.pass(11);
    expect(await first.closes()).toEqual(['gap']);
    const late = fixture();
    await late.buy();
    await late.pass(31);
    expect(await late.closes()).toEqual(['gap']);
  });

  it('is stored of bets that settled before, and counts in results', async () => {
    const { buy, pass, closes, trading } = fixture();
    await buy();
    await buy(HOME, BOB);
    await pass(20);
    await trading.use.markets.settle.execute({ venue: NO_VENUE, marketId: HOME as MarketId }, YES_WON);
    await pass(11);
    expect([await closes(), await closes(BOB)]).toEqual([[[510_000n, 1_000_000n]], [[510_000n, 1_000_000n]]]);
    const query = { by: 'sport', paper: true, interval: 'normal' } as const;
    const [row] = (await trading.use.bets.results.execute(ALICE, query, { limit: 1 })).items;
    expect(row?.measures.clv_points).toMatchObject({ n: 1, reason: null });
  });

  it('is of the start that the market has at last', async () => {
    const { board, buy, pass, closes } = fixture();
    await buy();
    await pass(20);
    board.described.set(HOME, game(HOME, { startsAt: new Date(startsAt.getTime() + 20 * MINUTE) }));
    await pass(2);
    await pass(10);
    await board.at(HOME).show('0.60x10', '0.62x10');
    expect(await closes()).toEqual(['not_started']);
    await pass(19);
    expect(await closes()).toEqual([[610_000n, 1_000_000n]]);
  });

  it('is of the first start that passes after the bet, as on a tape', async () => {
    const { board, buy, pass, closes } = fixture();
    const at = (minute: number) => new Date(Date.parse(NOON) + minute * MINUTE);
    await buy();
    await pass(20);
    await board.at(HOME).show('0.56x10', '0.58x10');
    await pass(11);
    board.described.set(HOME, game(HOME, { startsAt: at(50) }));
    await buy(HOME, BOB);
    await pass(10);
    await board.at(HOME).show('0.60x10', '0.62x10');
    await pass(10);
    const [first, later] = [aMatch(HOME, { startsAt }), aMatch(HOME, { startsAt: at(50) })];
    const lines = [
      says(first, 0),
      shows(first, 20 * 60, '0.56', '0.58'),
      says(later, 31 * 60),
      shows(later, 41 * 60, '0.60', '0.62'),
    ];
    const player = await openTape(tape(...inTime(lines, 52 * 60)));
    await player.play();
    const bet = { venue: player.venue, marketId: first.id, outcome: 'YES' } as const;
    const [before, after] = [
      player.closeOf({ ...bet, firstFillAt: at(0), startsAt }),
      player.closeOf({ ...bet, firstFillAt: at(31), startsAt: at(50) }),
    ];
    expect([before, after]).toMatchObject([{ price: 570_000n }, { price: 610_000n }]);
    expect([await closes(), await closes(BOB)]).toEqual([[[570_000n, 1_000_000n]], [[610_000n, 1_000_000n]]]);
  });

  it('is of a start that moved forward while no program ran', async () => {
    const { board, buy, pass, restart, closes } = fixture();
    await buy();
    await pass(1);
    board.described.set(HOME, game(HOME, { startsAt: new Date(startsAt.getTime() - 15 * MINUTE) }));
    restart();
    await pass(3);
    await pass(1);
    await board.at(HOME).show('0.56x10', '0.58x10');
    expect([board.at(HOME).isFollowed, await closes()]).toEqual([true, ['not_started']]);
    await pass(11);
    expect([board.at(HOME).isFollowed, await closes()]).toEqual([false, [[570_000n, 1_000_000n]]]);
  });

  it('is of a start that moved forward while a program ran', async () => {
    const { board, buy, pass, closes } = fixture();
    await buy();
    await pass(1);
    board.described.set(HOME, game(HOME, { startsAt: new Date(startsAt.getTime() - 15 * MINUTE) }));
    await pass(10);
    await board.at(HOME).show('0.56x10', '0.58x10');
    await pass(5);
    expect([board.at(HOME).isFollowed, await closes()]).toEqual([false, [[570_000n, 1_000_000n]]]);
  });

  it('is of a start that moved forward where market data was silent at first', async () => {
    const { board, buy, timeline, turn, pass, closes } = fixture();
    await buy();
    board.isSilent = true;
    board.described.set(HOME, game(HOME, { startsAt: new Date(startsAt.getTime() - 15 * MINUTE) }));
    await timeline.pass(3 * MINUTE);
    expect(await turn()).toMatchObject([{ code: 'market_data_unavailable' }]);
    board.isSilent = false;
    await pass(1);
    await board.at(HOME).show('0.56x10', '0.58x10');
    await pass(12);
    expect(await closes()).toEqual([[570_000n, 1_000_000n]]);
  });

  it('is fair by the other markets of an exclusive set, which are followed too', async () => {
    const { board, buy, pass, closes } = fixture([HOME, DRAW].map((id) => game(id, { exclusiveSet: 'game' })));
    await buy();
    await pass(20);
    expect(board.markets.map(({ isFollowed }) => isFollowed)).toEqual([true, true]);
    await board.at(DRAW).show('0.54x10', '0.56x10');
    await pass(11);
    expect(await closes()).toEqual([[510_000n, 1_060_000n]]);
  });

  it('is asked for again where market data is silent', async () => {
    const { board, buy, pass, turn, timeline, closes } = fixture();
    await buy();
    await timeline.pass(20 * MINUTE);
    board.isSilent = true;
    expect(await turn()).toMatchObject([{ code: 'market_data_unavailable' }]);
    board.isSilent = false;
    await pass(1);
    await pass(10);
    expect(await closes()).toEqual([[510_000n, 1_000_000n]]);
  });

  it('is followed by no program that was stopped', async () => {
    const { board, buy, pass, trading, closes } = fixture();
    await buy();
    await pass(20);
    trading.use.bets.close.stop();
    await setImmediate();
    expect(board.at(HOME).isFollowed).toBe(false);
    expect(await closes()).toEqual(['not_started']);
  });

  it('is shown as soon as it is known, before it is stored', async () => {
    const { buy, pass, timeline, trading, closes } = fixture();
    await buy();
    await pass(20);
    await timeline.pass(11 * MINUTE);
    const { items } = await trading.use.bets.read.many(ALICE, {}, { limit: 1 });
    expect([items[0]?.close, await closes()]).toMatchObject([{ price: 510_000n }, ['not_started']]);
  });
});
