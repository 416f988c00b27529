import * as v from 'valibot';
import {
  STOPPED_ORDERS,
  TRADING_MODES,
  type TradingScope,
  type TradingState,
  tradingScopeIn,
} from '../../core/trading/state.js';
import type { TradingSet } from '../../core/usecases/trading/set-trading-state.js';
import { describe, means, members, momentOut, momentText, textOfLength, uuidOut, wholeOut } from './schema.js';

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const [CONTROL, SPACE] = ['\\u0000-\\u001f\\u007f-\\u009f', '\\s'];
const EDGE = `[^${SPACE}${CONTROL}]`;
/** As `tradingScopeIn` reads it, in a form that every dialect of JSON Schema reads. */
const SCOPE = `^(service|account|strategy:${UUID}|sport:${EDGE}([^${CONTROL}]{0,62}${EDGE})?)$`;
const NOT_A_SCOPE = 'must be service, account, strategy:<id> or sport:<name>';

const scope = describe(
  v.pipe(
    v.string('must be a string'),
    v.rawTransform(({ dataset, addIssue, NEVER }): TradingScope => {
      const found = tradingScopeIn(dataset.value);
      if (found !== undefined) return found;
      addIssue({ message: NOT_A_SCOPE });
      return NEVER;
    }),
  ),
  { type: 'string', pattern: SCOPE },
);

const mode = v.picklist(TRADING_MODES, `must be one of ${TRADING_MODES.join(', ')}`);
const stopped = v.picklist(STOPPED_ORDERS, `must be one of ${STOPPED_ORDERS.join(', ')}`);

/** What to set. */
export const tradingBody = v.pipe(
  members({
    scope: means(scope, 'Whose orders: `service`, `account`, `strategy:<id>` or `sport:<name>`.', 'account'),
    state: means(
      mode,
      '`halted`: no order is accepted. `reducing`: only those that lower a worst case. `active`: takes back what stops the scope.',
      'halted',
    ),
    reason: means(textOfLength(1, 200), 'Why, for whoever reads it later.', 'Prices look wrong.'),
    until: means(v.optional(v.nullable(momentText)), 'When it ends by itself; absent or null for never.'),
    stops: means(v.optional(stopped), '`live`: only orders with real money. By default `all`.'),
    cancel: means(v.optional(v.boolean('must be true or false')), 'Also cancels the working orders that it stops.'),
  }),
);

const stateEntries = {
  scope: means(v.string(), 'Whose orders it is about.', 'account'),
  state: means(v.picklist(TRADING_MODES), 'Which of them are accepted.', 'halted'),
  stops: means(v.picklist(STOPPED_ORDERS), '`live`: it is only about orders with real money.', 'all'),
  reason: means(v.string(), 'Why.'),
  by: means(v.string(), 'The credential that set it, `operator` for the command line, or `service`.'),
  since: means(momentOut, 'When it was set.'),
  until: means(v.nullable(momentOut), 'When it ends by itself; null for never.'),
  code: means(
    v.nullable(v.string()),
    'Why, as a stable word, where the service or the command line set it; null where a client did.',
  ),
};

/** A state that was set. */
export const tradingStateOut = v.object(stateEntries);

const notCancelledOut = v.object({
  order_id: means(uuidOut, 'The order.'),
  reason: means(v.string(), 'Why it still works.'),
});

/** The answer to setting one. */
export const tradingSetOut = v.object({
  ...stateEntries,
  cancellation: means(
    v.nullable(
      v.object({
        cancelled: means(wholeOut, 'How many orders were cancelled.'),
        working: means(wholeOut, 'How many still work.'),
        not_cancelled: means(v.array(notCancelledOut), 'Those that still work, at most 100.'),
      }),
    ),
    'What became of the working orders; null where they were to stay.',
  ),
});

/** Shown alike wherever an account is shown; what stops its trading is reported separately. */
export const liveEnabledOut = means(v.boolean(), 'Whether an operator lets the account trade with real money.');

/** What holds now. */
export const tradingNowOut = v.object({
  live_enabled: liveEnabledOut,
  effective: means(
    v.picklist(TRADING_MODES),
    'What an order with real money meets that names no strategy, in a market without a sport.',
    'active',
  ),
  data: means(v.array(tradingStateOut), 'Every state in force that is about the account, other than `active`.'),
});

/** A state as the API shows it. */
export function presentTradingState(state: TradingState): v.InferInput<typeof tradingStateOut> {
  const { scope: about, state: mode, stops, reason, by, since, until, code } = state;
  const times = { since: since.toISOString(), until: until?.toISOString() ?? null };
  return { scope: about, state: mode, stops, reason, by, ...times, code };
}

/** What was set, and what became of the working orders. */
export function presentTradingSet({ state, cancellation }: TradingSet): v.InferInput<typeof tradingSetOut> {
  const shown = presentTradingState(state);
  if (cancellation === null) return { ...shown, cancellation };
  const { cancelled, working, notCancelled } = cancellation;
  const left = notCancelled.map(({ orderId, reason }) => ({ order_id: orderId, reason }));
  return { ...shown, cancellation: { cancelled, working, not_cancelled: left } };
}
