import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PolymarketMarketData } from '../../../../src/adapters/polymarket/market-data/polymarket-market-data.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { Market } from '../../../../src/core/market/market.js';
import { ROOT } from '../../../support/build.js';
import { clockAt } from '../../../support/builders.js';
import { type FakeMarket, FakePolymarketRest } from '../../../support/fake-polymarket/rest.js';
import { FakeMarketSocket } from '../../../support/fake-polymarket/socket.js';
import { bookOf, type Rows } from './stream-messages.js';

type Json = Readonly<Record<string, unknown>>;

/** One market in the venue's three shapes. */
export interface Listed {
  readonly gamma: Json;
  readonly compact: Json;
  readonly clob: Json;
}

const NAME = 'two teams, nba, with both records';
const FIXTURE = readFileSync(join(ROOT, 'test/fixtures/markets.jsonl'), 'utf8')
  .split('\n')
  .find((line) => line.includes(NAME));

/** A game that is open for orders on 2027-01-10 and starts on 2027-01-16, whose records all agree. */
export function aListedGame(): Listed {
  const { gamma, clob } = JSON.parse(FIXTURE ?? '') as { gamma: Json; clob: { compact: Json; full: Json } };
  return { gamma, compact: clob.compact, clob: clob.full };
}

/** The whole venue on loopback with one game, and its listeners. */
export class Venue {
  readonly clock = clockAt('2027-01-10T12:00:00.000Z');
  readonly reports: string[] = [];
  readonly game = aListedGame();
  readonly data: PolymarketMarketData;

  private constructor(
    readonly rest: FakePolymarketRest,
    readonly socket: FakeMarketSocket,
  ) {
    const { gamma, clob } = rest;
    const report = (reason: string) => this.reports.push(reason);
    this.data = new PolymarketMarketData({ gamma, clob, stream: new URL(socket.url), clock: this.clock, report });
    this.lists(this.game);
  }

  static async open(): Promise<Venue> {
    return new Venue(await FakePolymarketRest.start(), await FakeMarketSocket.start());
  }

  get id(): MarketId {
    return this.game.gamma['conditionId'] as MarketId;
  }

  get tokens(): readonly [string, string] {
    return JSON.parse(String(this.game.gamma['clobTokenIds'])) as [string, string];
  }

  /** Everything that the venue lists from now on. */
  lists(...markets: readonly FakeMarket[]): void {
    this.rest.markets = [...markets];
  }

  /** From now on the game has these members in each record. */
  relists(gamma: Json = {}, clob: Json = {}, compact: Json = {}): void {
    this.lists({
      gamma: { ...this.game.gamma, ...gamma },
      clob: { ...this.game.clob, ...clob },
      compact: { ...this.game.compact, ...compact },
    });
  }

  /** The first outcome's book at REST and in the stream from now on. */
  shows(bids: Rows, asks: Rows): void {
    const [yes] = this.tokens;
    const book = bookOf(yes, bids, asks);
    this.socket.dumps.set(yes, book);
    this.rest.books.set(yes, { ...book, tick_size: '0.01' });
  }

  /** The game as it is found now. */
  async found(): Promise<Market> {
    const market = await this.data.find(this.id);
    if (market === undefined) throw new Error('the game is not found');
    return market;
  }

  async close(): Promise<void> {
    await this.data.close();
    await this.socket.stop();
    await this.rest.close();
  }
}
