import type { Dialect } from '../columns.js';
import type { RunStatement } from '../store.js';

/** Room for the day for whose limits an order counts. */
export const daysSchema = (dialect: Dialect['name']): readonly string[] => [
  `alter table orders add column day ${dialect === 'sqlite' ? 'text' : 'text collate "C"'}`,
];

type Row = Readonly<Record<string, unknown>>;

/** What was counted of one day, the last one, becomes the first of the days of which it is counted. */
export async function countByDay(run: RunStatement): Promise<void> {
  await rewritten(run, 'balances', 'counted', ['account', 'paper', 'venue'], countedOf);
  await rewritten(run, 'exposures', 'counted', ['account', 'strategy_id', 'paper'], betsOf);
  await rewritten(run, 'accounts', 'losses', ['id'], lossesOf);
}

async function rewritten(
  run: RunStatement,
  table: string,
  column: string,
  key: readonly string[],
  change: (written: Row) => object,
): Promise<void> {
  for (const row of await run(`select ${key.join(', ')}, ${column} from ${table} where ${column} is not null`)) {
    const next = JSON.stringify(change(JSON.parse(`${row[column]}`) as Row));
    const where = key.map((name) => `${name} = ${quoted(row[name])}`).join(' and ');
    await run(`update ${table} set ${column} = ${quoted(next)} where ${where}`);
  }
}

function countedOf({ day, spent, first, booked = '0', recent }: Row): object {
  const only = { day, spent, ...(first !== undefined && { first }) };
  return { days: day === '' ? [] : [only], booked, recent };
}

function betsOf({ day, bets, start, ...rest }: Row): object {
  return { days: day === '' ? [] : [{ day, bets, start }], ...rest };
}

function lossesOf(written: Row): object {
  const marks = ({ day, start, peak }: Row) => ({ days: day === '' ? [] : [{ day, start }], peak });
  return Object.fromEntries(Object.entries(written).map(([kind, of]) => [kind, marks(of as Row)]));
}

const quoted = (value: unknown): string =>
  typeof value === 'boolean' || typeof value === 'number' ? `${value}` : `'${`${value}`.replaceAll("'", "''")}'`;
