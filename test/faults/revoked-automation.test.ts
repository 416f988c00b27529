import { describe, expect, it } from 'vitest';
import { RandomKeyMaker } from '../../src/adapters/auth/index.js';
import { MemoryLedger } from '../../src/adapters/memory/index.js';
import { PaperExchange } from '../../src/adapters/paper/index.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { RulesDraft } from '../../src/core/strategy/rules/rules.js';
import { keyUseCases, useCases } from '../../src/core/usecases/compose.js';
import type { UseCasePorts } from '../../src/core/usecases/use-case-ports.js';
import { Venues, venueFrom } from '../../src/core/venues/venues.js';
import { found } from '../support/audited.js';
import { ALICE, aDraft, anExecution, anOrderContext, shares, usdc } from '../support/builders.js';
import { MarketBoard } from '../support/market-board.js';
import { aMatch } from '../support/match-day.js';
import { beforeEachBet, runningStrategies } from '../support/running-strategies.js';
import { SigningExchange, takes } from '../support/scripted-exchange.js';
import { levels, ManualTimeline } from '../support/scripted-market.js';

const GAME = aMatch('game', { venue: NO_VENUE });
const RULES: RulesDraft = {
  match: {},
  filter: { minOdds: 2_000_000n },
  outcome: { index: 0 },
  sizing: { method: 'flat', value: usdc('10') },
  limits: { maxBetsPerOutcome: 10, cooldownMs: 0 },
};

/** A strategy that a key let trade with real money by itself, at a venue that fills what it gets. */
async function fixture() {
  const clock = new ManualTimeline();
  const board = new MarketBoard(clock);
  const store = new MemoryLedger(clock);
  const venue = new SigningExchange({ place: takes([anExecution({ shares: shares('20'), confirmed: true })], 'open') });
  let meanwhile: () => Promise<unknown> = async () => {};
  const ledger = beforeEachBet(store, () => meanwhile());
  const live = { exchange: venue, redemption: null };
  const venues = new Venues(new PaperExchange(), [venueFrom(board, live)]);
  const ports: UseCasePorts = { ...anOrderContext({ clock }), ledger, venues };
  const use = useCases(ports);
  await use.accounts.manage.allowLive(ALICE, true);
  await use.accounts.manage.deposit(ALICE, venue.venue, usdc('1000'));
  const keys = keyUseCases(
    { ledger: store, wallClock: clock },
    { keys: store, keyMaker: new RandomKeyMaker('pepper') },
  );
  const { key } = await keys.create({
    by: ALICE,
    account: ALICE,
    scopes: ['strategies:write', 'orders:live'],
    lifetimeMs: null,
    idempotencyKey: null,
  });
  const draft = aDraft({ automation: 'auto', automationPaper: false, paperOnly: false, rules: RULES });
  const command = { account: ALICE, draft, by: { keyId: key.id }, idempotencyKey: null };
  const { record: strategy } = await use.strategies.create.execute(command);
  await board.list(GAME);
  const { refresh, faults } = await runningStrategies(ports, use.strategies.skips);
  /** The price comes, having been away. */
  const comes = async (act: () => Promise<unknown> = async () => {}) => {
    await board.show(GAME.id, levels('0.58x1000'), levels('0.60x1000'));
    meanwhile = act;
    await board.show(GAME.id, levels('0.48x1000'), levels('0.50x1000'));
    meanwhile = async () => {};
  };
  const orders = async (paper: boolean) => store.listOrders(ALICE, { paper }, { limit: 100 });
  const revoke = () => keys.revoke(key.id);
  const sent = () => venue.count('place');
  return { store, use, strategy, refresh, comes, orders, revoke, sent, faults };
}

describe('A strategy that a key authorised for automated real-money trading', () => {
  it('sends nothing after the key is revoked and continues on paper', async () => {
    const { store, use, strategy, refresh, comes, orders, revoke, sent, faults } = await fixture();
    await comes();
    expect([sent(), (await orders(false)).length]).toEqual([1, 1]);
    await revoke();
    // The runner has not heard of it yet.
    await comes();
    await comes();
    expect([sent(), (await orders(false)).length, (await orders(true)).length]).toEqual([1, 1, 0]);
    await refresh();
    await comes();
    await comes();
    expect([sent(), (await orders(false)).length]).toEqual([1, 1]);
    expect((await orders(true)).length).toBeGreaterThan(0);
    const now = await use.strategies.read.one(ALICE, strategy.id);
    expect([now.version, now.automation, now.automationPaper]).toEqual([2, 'auto', true]);
    expect([faults, await found(store)]).toEqual([[], []]);
  });

  it('sends nothing when its key is revoked with a bet in flight', async () => {
    const { comes, orders, revoke, sent } = await fixture();
    await comes(revoke);
    expect([sent(), await orders(false), await orders(true)]).toEqual([0, [], []]);
  });
});
