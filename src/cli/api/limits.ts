import { Command } from 'commander';
import type { WireLimits, WireLimitsInUse } from '../../adapters/http/answers.js';
import { LIMIT_NAMES, limitOf } from '../../core/limits/limits.js';
import { parseMicro } from '../../core/money.js';
import { nearest } from '../../core/nearest.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent } from './confirmation.js';
import { type Detail, type TableColumn, tableOf } from './output/table.js';
import { withOptions } from './page-options.js';
import { type RemoteOptions, remoteCommand, show, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

type Value = string | number | null;

interface LimitRow {
  readonly name: string;
  readonly label: string;
  readonly limit: Value;
  readonly used: Value;
}

interface MoneyOptions extends RemoteOptions {
  readonly live?: boolean;
}

const PATH = '/v1/limits';
const LIVE = ['--live', 'count what is in use with real money; on paper when absent'] as const;
const ROWS = LIMIT_NAMES.map(limitOf).map(({ shown, label }) => ({ name: shown, label }));
const NAMES = ROWS.map(({ name }) => name);
const NONE = 'none';

const COLUMNS: readonly TableColumn<LimitRow>[] = [
  { title: 'limit', of: ({ name }) => name },
  { title: 'is of', of: ({ label }) => label },
  { title: 'at most', of: ({ limit }) => limit, right: true },
  { title: 'in use', of: ({ used }) => used, right: true },
];

/** `stakeport limits …`: what the account may risk. Without a verb it shows them. */
export function limitsCommand(terminal: Terminal): Command {
  const limits = new Command('limits').description('show or change what the account may risk');
  limits.addCommand(listCommand(), { isDefault: true });
  limits.addCommand(setCommand(terminal));
  return limits;
}

function listCommand(): Command {
  return remoteCommand('list', 'show what the account may risk, and what of it is in use', 'stakeport limits list')
    .option(...LIVE)
    .action((options: MoneyOptions) => show<WireLimitsInUse>(options, asked(options), limitsShown));
}

function setCommand(terminal: Terminal): Command {
  const command = remoteCommand(
    'set',
    'set or take away limits; those that are not named stay as they are',
    'stakeport limits set order_usdc=25 open_orders=20',
    'stakeport limits set daily_loss_usdc=none --yes',
  )
    .argument('<limit=value...>', `a limit, and what it is from now on, or ${NONE}: ${NAMES.join(', ')}`)
    .option(...LIVE);
  const [yes] = CONFIRMED_OPTIONS;
  return withOptions(command, yes === undefined ? [] : [yes]).action(
    (said: readonly string[], options: MoneyOptions & ConfirmedOptions) => {
      const body = changeIn(said);
      return withServer(options, async (api) => {
        requireConsent(terminal, options, 'change these limits');
        if (options.yes !== true) {
          const { body: now } = await api.request<WireLimitsInUse>(asked(options));
          await confirm(terminal, options, { figures: figuresOf(body, now), question: 'Change them?' });
        }
        const answer = await api.request<WireLimitsInUse>({ ...asked(options), method: 'PUT', body });
        print(options.json === true ? answer.text : limitsShown(answer.body));
      });
    },
  );
}

const asked = ({ live }: MoneyOptions) => ({ path: PATH, query: { paper: live !== true } });

function limitsShown({ used, ...limits }: WireLimitsInUse): string {
  const [of, inUse]: readonly Readonly<Record<string, Value>>[] = [limits, used];
  const rows = ROWS.map((row) => ({ ...row, limit: of?.[row.name] ?? null, used: inUse?.[row.name] ?? null }));
  return tableOf(COLUMNS, rows, 'No limits.');
}

/** Each limit that is named, as it is and as it will be. */
function figuresOf(body: Readonly<Record<string, Value>>, now: WireLimits): readonly Detail[] {
  const before: Readonly<Record<string, Value>> = { ...now };
  return Object.entries(body).map(([name, value]) => [name, `${before[name] ?? NONE} → ${value ?? NONE}`]);
}

/** @throws CommandFailed where a pair is none, names no limit or names one twice, or the value is no number */
function changeIn(said: readonly string[]): Readonly<Record<string, Value>> {
  const pairs = said.map(changeOf);
  const body = Object.fromEntries(pairs);
  if (Object.keys(body).length === pairs.length) return body;
  throw wrong('Name each limit once.');
}

function changeOf(pair: string): readonly [name: string, value: Value] {
  const at = pair.indexOf('=');
  const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
  const limit = LIMIT_NAMES.map(limitOf).find(({ shown }) => shown === name);
  if (limit === undefined) {
    const near = nearest(name, NAMES);
    const meant = near === undefined ? `They are ${NAMES.join(', ')}.` : `Did you mean ${near}?`;
    throw wrong(`There is no limit ${inOneLine(name)}. ${meant}`);
  }
  if (value === NONE) return [name, null];
  if (limit.kind === 'count') {
    if (/^\d{1,7}$/.test(value)) return [name, Number(value)];
    throw wrong(`${name} takes a whole number, such as ${limit.example}, or ${NONE}.`);
  }
  if (isAmount(value)) return [name, value];
  throw wrong(`${name} takes an amount, such as ${limit.example}, or ${NONE}.`);
}

function isAmount(text: string): boolean {
  try {
    parseMicro(text);
    return true;
  } catch {
    return false;
  }
}

const wrong = (words: string): CommandFailed => new CommandFailed(`${words} Nothing was done.`, EXIT.usage);
