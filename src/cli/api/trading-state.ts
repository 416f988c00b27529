import type { Command } from 'commander';
import type { WireTradingNow, WireTradingSet, WireTradingState } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { reasonOption } from '../command-options.js';
import { print } from '../print.js';
import type { ApiClient } from './client/api-client.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { knownId, STRATEGY } from './known-id.js';
import { momentOption } from './moment-option.js';
import { momentShown } from './output/shown.js';
import { type Detail, detailsOf, type TableColumn, tableOf } from './output/table.js';
import { type Flag, withOptions } from './page-options.js';
import { aside, remoteCommand, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

interface StateOptions extends ConfirmedOptions {
  readonly scope: string;
  readonly reason: string;
  readonly until?: string;
  readonly onlyLive?: boolean;
  readonly cancel?: boolean;
}

type State = WireTradingState['state'];

interface Verb {
  readonly name: string;
  readonly state: State;
  readonly description: string;
  /** What the state means, for the confirmation prompt. */
  readonly means: string;
}

const PATH = '/v1/trading/state';
const REASON = 'from the command line';

const VERBS: readonly Verb[] = [
  {
    name: 'halt',
    state: 'halted',
    description: 'stop trading: no order is accepted until somebody resumes; cancellations always pass',
    means: 'no order is accepted',
  },
  {
    name: 'reduce',
    state: 'reducing',
    description: 'accept only orders that lower a worst case until somebody resumes',
    means: 'only orders that lower a worst case are accepted',
  },
  {
    name: 'resume',
    state: 'active',
    description: 'take back what stops trading',
    means: 'what stops it is taken back, and orders are accepted again',
  },
];

const STATES: readonly TableColumn<WireTradingState>[] = [
  { title: 'scope', of: ({ scope }) => scopeShown(scope) },
  { title: 'state', of: ({ state }) => state, painted: true },
  { title: 'stops', of: ({ stops }) => stops },
  { title: 'since', of: ({ since }) => momentShown(since) },
  { title: 'until', of: ({ until }) => momentShown(until) },
  { title: 'by', of: ({ by }) => by },
  { title: 'reason', of: ({ reason }) => reason },
];

const TIGHTENING: readonly Flag[] = [
  ['--only-live', 'stop orders with real money only; all orders when absent'],
  ['--cancel', 'also cancel the working orders that it stops'],
];

/** `stakeport halt`, `stakeport reduce` and `stakeport resume`. */
export function tradingCommands(terminal: Terminal): readonly Command[] {
  return VERBS.map((verb) => verbCommand(terminal, verb));
}

function verbCommand(terminal: Terminal, verb: Verb): Command {
  const { name, state, description } = verb;
  const more = state === 'active' ? ' --reason "prices are right again"' : ' --cancel --reason "odd prices"';
  const command = remoteCommand(name, description, `stakeport ${name}`, `stakeport ${name} --scope sport:soccer${more}`)
    .option(
      '--scope <scope>',
      'account, strategy:NAME or strategy:ID, or of all accounts service or sport:NAME',
      'account',
    )
    .option('--reason <text>', 'why, in one line', reasonOption(REASON), REASON);
  if (state !== 'active')
    command.option('--until <moment>', 'when it ends by itself, such as 2026-12-05T15:00:00Z', momentOption);
  return withOptions(command, [...(state === 'active' ? [] : TIGHTENING), ...CONFIRMED_OPTIONS]).action(
    (options: StateOptions) => set(terminal, verb, options),
  );
}

function set(terminal: Terminal, { name, state, means }: Verb, options: StateOptions): Promise<void> {
  return withServer(options, async (api) => {
    requireConsent(terminal, options, `${name} trading`);
    const { reason, until, cancel } = options;
    const scope = await knownScope(api, options.scope);
    const stops = options.onlyLive === true ? 'live' : undefined;
    if (options.yes !== true) {
      const { body: now } = await api.request<WireTradingNow>({ path: PATH });
      process.stderr.write(`${tableOf(STATES, now.data, 'Nothing stops trading now.')}\n\n`);
    }
    await confirm(terminal, options, {
      figures: figuresOfState(name, means, { ...options, scope }),
      question: `${titled(name)} trading?`,
    });
    const body = { scope, state, reason, until, stops, cancel };
    const answer = await api.request<WireTradingSet>({ method: 'POST', path: PATH, body, key: runKey(options) });
    print(options.json === true ? answer.text : detailsOf(detailsOfState(answer.body)));
    if (answer.isReplayed) aside('This is what the first request with this key did.', options);
    requireCancelled(answer.body);
  });
}

const OF_STRATEGY = 'strategy:';

/** A scope with the id of its strategy cut. */
const scopeShown = (scope: string): string =>
  scope.startsWith(OF_STRATEGY) ? `${OF_STRATEGY}${shortId(scope)}` : scope;

/** A scope with the whole id of the strategy that a person names. */
async function knownScope(api: ApiClient, scope: string): Promise<string> {
  if (!scope.startsWith(OF_STRATEGY)) return scope;
  return `${OF_STRATEGY}${await knownId(api, STRATEGY, scope.slice(OF_STRATEGY.length))}`;
}

function figuresOfState(
  name: string,
  means: string,
  { scope, until, cancel, onlyLive }: StateOptions,
): readonly Detail[] {
  const orders = cancel === true ? 'the working orders that it stops are cancelled' : 'working orders stay';
  return [
    ['trading', `${name} ${scopeShown(scope)}`],
    ['money', onlyLive === true ? 'LIVE' : 'PAPER and LIVE'],
    ['then', means],
    ...(name === 'resume' ? [] : [['orders', orders] as const, ['until', until ?? 'somebody resumes'] as const]),
  ];
}

function detailsOfState(set: WireTradingSet): readonly Detail[] {
  const { cancellation } = set;
  const counts: readonly Detail[] =
    cancellation === null
      ? []
      : [
          ['cancelled', cancellation.cancelled],
          ['still working', cancellation.working],
        ];
  return [
    ['scope', scopeShown(set.scope)],
    ['state', set.state],
    ['stops', set.stops],
    ['reason', set.reason],
    ['by', set.by],
    ['since', momentShown(set.since)],
    ['until', momentShown(set.until)],
    ...counts,
  ];
}

/** @throws CommandFailed where an order still works that was to be cancelled */
function requireCancelled({ cancellation }: WireTradingSet): void {
  if (cancellation === null || cancellation.working === 0) return;
  const left = cancellation.not_cancelled.map(({ order_id: id, reason }) => `${shortId(id)}: ${reason}`).join(' ');
  throw new CommandFailed(`It is set, but ${cancellation.working} orders still work. ${left}`, EXIT.no);
}

const titled = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
