import { useCases } from '../dist/core/usecases/compose.js';
import { runnerUseCase } from '../dist/core/usecases/compose-strategies.js';
import type { RunStrategies } from '../dist/core/usecases/strategies/background/run-strategies.js';
import type { UseCasePorts } from '../dist/core/usecases/use-case-ports.js';
import { type BookView, Venues, venueFrom } from '../dist/core.js';
import type { AccountId, Market, MarketId, Price, RulesDraft, Strategy, Usdc } from '../dist/index.js';
import { MemoryLedger, PaperExchange, sha256, systemClock, uuidV7 } from '../dist/memory.js';
import { aFee, anOpenMarket } from '../test/core/matching/view.js';
import { price, shares, usdc } from '../test/support/builders.js';
import { MarketBoard } from '../test/support/market-board.js';

type Ledger = UseCasePorts['ledger'];

/** Keeps strategies in memory, and lists them in one piece: their number is not what is measured. */
export class ListedAtOnce extends MemoryLedger {
  override async listAutomated(...[since, { after }]: Parameters<Ledger['listAutomated']>) {
    return after === undefined ? structuredClone(await super.listAutomated(since, { limit: 1_000_000 })) : [];
  }
}

/** Whose strategies trade. */
export const TRADER = 'bench' as AccountId;

const HOURS_MS = 3_600_000;
const CENT = 10_000n;

/** The runner on a store, and a board of games whose books the bench moves. */
export class EngineFixture {
  readonly board = new MarketBoard(systemClock);
  readonly ports: UseCasePorts;
  readonly use: ReturnType<typeof useCases>;
  readonly runner: RunStrategies;
  /** What went wrong in the background. */
  readonly faults: unknown[] = [];

  constructor(readonly ledger: Ledger) {
    const venues = new Venues(new PaperExchange(), [venueFrom(this.board, null)]);
    this.ports = {
      ledger,
      venues,
      clock: systemClock,
      wallClock: systemClock,
      ids: uuidV7,
      digest: sha256,
      stopwatch: () => performance.now(),
      openingCash: usdc('900000000'),
      liveOrderCap: null,
    };
    this.use = useCases(this.ports);
    this.runner = runnerUseCase(this.ports, this.use.strategies.skips, (_, error) => this.faults.push(error));
  }

  /** Makes strategies of one account, whose n-th has these rules. */
  async strategies(count: number, rulesOf: (n: number) => RulesDraft): Promise<Strategy[]> {
    const made: Strategy[] = [];
    const make = (n: number) => {
      const draft = {
        name: `strategy ${n}`,
        sport: 'soccer',
        automation: 'auto' as const,
        rules: rulesOf(n),
        bankrollCap: usdc('100000'),
        stakeCap: usdc('1000'),
      };
      return this.use.strategies.create.execute({ account: TRADER, draft, idempotencyKey: null });
    };
    for (let n = 0; n < count; n += 500)
      for (const { record } of await Promise.all(
        Array.from({ length: Math.min(500, count - n) }, (_, i) => make(n + i)),
      ))
        made.push(record);
    return made;
  }

  /** Lets the runner look for strategies and markets. */
  async refresh(): Promise<void> {
    await this.runner.refreshStrategies();
    await this.runner.refreshMarkets();
  }

  /** Shows this book of a game, and waits until the runner has taken it in. */
  show({ id }: Market, { bids, asks }: BookView): Promise<void> {
    return this.board.show(id, bids, asks);
  }
}

/** Ten levels a side, a cent apart, around this price. */
export function bookAround(mid: Price, at: Date): BookView {
  const side = (sign: bigint) =>
    Array.from({ length: 10 }, (_, step) => ({
      price: (mid + sign * CENT * BigInt(step + 1)) as Price,
      shares: shares('1000'),
    }));
  return { bids: side(-1n), asks: side(1n), at, fresh: true };
}

/** A game of a league that begins in an hour. */
export function aGame(number: number, league: number): Market {
  const name = `game-${number}`;
  return anOpenMarket(
    { tick: price('0.001'), fee: aFee('0.05') },
    {
      id: `${name}` as MarketId,
      slug: name,
      venueId: name,
      question: name,
      sport: 'soccer',
      kind: 'moneyline',
      league: `league-${league}`,
      event: { id: name, slug: name, title: name },
      role: 'home',
      outcomes: [
        { label: 'Home', tokenId: `${name}-1` },
        { label: 'Away', tokenId: `${name}-2` },
      ],
      startsAt: new Date(Date.now() + HOURS_MS),
    },
  );
}

/** Odds of a price of so many cents, without a fee. */
export const oddsAt = (cents: number): bigint => BigInt(Math.round(1e8 / cents));

/** So many dollars on the first outcome. */
export const flat = (dollars: string): RulesDraft['sizing'] => ({ method: 'flat', value: usdc(dollars) as Usdc });
