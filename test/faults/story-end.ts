import type { MemoryLedger } from '../../src/adapters/memory/index.js';
import { POLYMARKET } from '../../src/adapters/polymarket/http/venue-name.js';
import type { OutcomeSide } from '../../src/core/market/market.js';
import { isWorking } from '../../src/core/order/lifecycle.js';
import type { Order } from '../../src/core/order/order.js';
import type { Reconciliation } from '../../src/core/order/reconciliation.js';
import { GAME } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { ALICE } from '../support/builders.js';
import { contradictions, type Fixture } from '../support/live-trader.js';

/** The rest of a story once nothing goes wrong any more and everything is reported. */
export interface Lived {
  readonly fixture: Fixture;
  readonly ledger: MemoryLedger;
  /** What every sweep and every message came to, and the last sweep of all. */
  readonly found: readonly Reconciliation[];
  readonly last: Reconciliation;
  /** The ids that each key of a request was answered with. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>;
  readonly halt: unknown;
}

/** By their place in the market. */
export const OUTCOME_SIDES: readonly [OutcomeSide, OutcomeSide] = ['YES', 'NO'];
/** Who pays at the venue, in its spelling. */
export const WALLET = KNOWN_ADDRESS.toLowerCase();

/** What is wrong then, with the history of each order; nothing, as a rule. */
export async function wrongAtTheEnd(lived: Lived): Promise<readonly unknown[]> {
  const { fixture, ledger, found, last, answers, halt } = lived;
  const orders = await ledger.listOrders(ALICE, {}, { limit: 100 });
  const wrong = [
    ...(await contradictions(fixture, ledger)),
    ...found.flatMap((one) => [...one.contradictions, ...one.external]),
    ...(last.complete && last.changed === 0 ? [] : [{ last }]),
    ...(halt === null ? [] : [halt]),
    ...restsElsewhere(fixture, orders),
    ...(await heldElsewhere(fixture, ledger)),
    ...[...answers].flatMap(([key, ids]) => differs(key, ids.size, 1)),
  ];
  return wrong.length === 0 ? [] : [...wrong, ...(await Promise.all(orders.map((order) => historyOf(ledger, order))))];
}

function restsElsewhere({ venue }: Fixture, orders: readonly Order[]): readonly unknown[] {
  const working = orders.filter(({ state }) => isWorking(state));
  const ours = working.map(({ state, venueOrderId }) => `${state} ${venueOrderId}`).sort();
  const resting = venue.state.engine.open.filter(({ maker }) => maker === WALLET);
  const theirs = resting.map(({ hash }) => `open ${hash}`).sort();
  return differs('open orders', ours.join(), theirs.join());
}

async function heldElsewhere({ account, venue }: Fixture, ledger: MemoryLedger): Promise<readonly unknown[]> {
  const balance = await ledger.findBalance(ALICE, { paper: false, venue: POLYMARKET });
  const positions = await ledger.listPositions(ALICE, { paper: false, strategyId: null }, { limit: 9 });
  const held = (outcome: OutcomeSide) => positions.find((position) => position.outcome === outcome)?.shares ?? 0n;
  // Where a price times shares is not a whole millionth of a dollar, the remainder is counted against us.
  const rounded = venue.trades
    .filter(({ size, price }) => (size * price) % 1_000_000n !== 0n)
    .reduce((sum, { makers }) => sum + 1 + makers.length, 0);
  const cash = account.collateral - (balance?.cash ?? 0n);
  return [
    ...(cash >= 0n && cash <= rounded ? [] : [{ cash }]),
    ...OUTCOME_SIDES.flatMap((outcome, place) =>
      differs(outcome, held(outcome), account.balanceOf(GAME.tokens[place] ?? '')),
    ),
  ];
}

async function historyOf(ledger: MemoryLedger, { id, intent, state, refusal }: Order) {
  const events = await ledger.listEvents(ALICE, id, { limit: 100 });
  const history = events.map(({ at, change }) => `${at.toISOString()} ${change.type}`);
  return { id, side: intent.side, timeInForce: intent.timeInForce, state, refusal, history };
}

const differs = (what: string, ours: unknown, theirs: unknown) => (ours === theirs ? [] : [{ what, ours, theirs }]);
