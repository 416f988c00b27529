import type { Dialect } from '../columns.js';

const LIMIT = '9007199254740992';
const LEDGERS = `'cash', 'position', 'redeemable', 'fees', 'realised', 'capital'`;
const COLUMNS = 'account, paper, entry, line, at, cause, order_id, ledger, market_id, token, amount';

const TYPES = {
  sqlite: { integer: 'integer' },
  postgres: { integer: 'bigint' },
} as const;

/** What results paid in real money and is not redeemed yet: per position, in the journal, and in the equity history. */
export function redeemableSchema(dialect: Dialect['name']): readonly string[] {
  const { integer } = TYPES[dialect];
  const add = (table: string, check: string) =>
    `alter table ${table} add column redeemable ${integer} not null default 0 check (redeemable >= 0 and ${check})`;
  return [
    add('positions', 'redeemable <= returned'),
    'create index positions_redeemable on positions (account, market_id, token) where redeemable > 0',
    add('equity', `redeemable < ${LIMIT}`),
    ...(dialect === 'sqlite' ? rebuiltJournal() : relaxedJournal()),
  ];
}

/** SQLite cannot change a check of an existing table. Not by renaming, as for balances. */
function rebuiltJournal(): string[] {
  return [
    `create table journal_before as select ${COLUMNS} from journal_lines`,
    'drop table journal_lines',
    `create table journal_lines (
      account text not null,
      paper integer not null,
      entry text not null,
      line integer not null check (line >= 1),
      at text not null,
      cause text not null,
      order_id text,
      ledger text not null check (ledger in (${LEDGERS})),
      market_id text,
      token text check (token in ('YES', 'NO')),
      amount integer not null check (amount <> 0 and amount > -${LIMIT} and amount < ${LIMIT}),
      primary key (account, paper, entry, line),
      check ((ledger = 'position') = (market_id is not null)),
      check ((market_id is null) = (token is null))
    ) strict, without rowid`,
    `insert into journal_lines (${COLUMNS}) select ${COLUMNS} from journal_before`,
    'drop table journal_before',
  ];
}

function relaxedJournal(): string[] {
  return [
    'alter table journal_lines drop constraint journal_lines_ledger_check',
    `alter table journal_lines add constraint journal_lines_ledger_check check (ledger in (${LEDGERS}))`,
  ];
}
