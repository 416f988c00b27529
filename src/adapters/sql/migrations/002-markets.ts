import type { Dialect } from '../columns.js';

/** As in the first step: amounts stay where every driver returns them exactly. */
const LIMIT = '9007199254740992';

const TYPES = {
  sqlite: { text: 'text', integer: 'integer', flag: 'integer', short: 'strict, without rowid' },
  postgres: { text: 'text collate "C"', integer: 'bigint', flag: 'boolean', short: '' },
} as const;

type Types = (typeof TYPES)[keyof typeof TYPES];

/**
 * What fees, results and the journal need. Every existing balance gets an opening entry in its journal, dated `at` the
 * moment of the step, so that debits equal credits from then on.
 */
export function marketsSchema(dialect: Dialect['name'], at: Date): readonly string[] {
  const t = TYPES[dialect];
  return [
    ...positions(t),
    'alter table orders add column fee_schedule text',
    ...orderIndexes(),
    ...(dialect === 'sqlite' ? rebuiltBalances(t) : relaxedBalances()),
    journal(t),
    equity(t),
    openings(dialect, at),
  ];
}

const signed = (column: string): string => `${column} > -${LIMIT} and ${column} < ${LIMIT}`;
const unsigned = (column: string): string => `${column} >= 0 and ${column} < ${LIMIT}`;

function positions({ integer }: Types): string[] {
  const add = (column: string, check: string) =>
    `alter table positions add column ${column} ${integer} not null default 0 check (${check})`;
  return [
    add('fees', unsigned('fees')),
    add('realised', signed('realised')),
    add('settled', unsigned('settled')),
    add('returned', unsigned('returned')),
  ];
}

/** An order that fills at once enters two of them: by its id, always at the end, and among the unsettled ones. */
function orderIndexes(): string[] {
  const working = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;
  return [
    'create index orders_by_id on orders (id)',
    `create index orders_working on orders (id) where ${working}`,
    `create index orders_working_by_market on orders (market_id, id) where ${working}`,
    'create index orders_unsettled on orders (market_id, id) where filled_shares > 0 and settled_at is null',
    'create index orders_settled on orders (market_id, settled_at) where settled_at is not null',
  ];
}

const BALANCE = `${unsigned('reserved')} and ${signed('cash')}`;

// Not by renaming: SQLite would then check the connection's trigger, which names a table that is missing at that moment.
function rebuiltBalances({ text, integer, flag, short }: Types): string[] {
  return [
    'create table balances_before as select account, paper, cash, reserved from balances',
    'drop table balances',
    `create table balances (
      account ${text} not null,
      paper ${flag} not null,
      cash ${integer} not null,
      reserved ${integer} not null,
      primary key (account, paper),
      check (${BALANCE})
    ) ${short}`,
    'insert into balances (account, paper, cash, reserved) select account, paper, cash, reserved from balances_before',
    'drop table balances_before',
  ];
}

function relaxedBalances(): string[] {
  return [
    'alter table balances drop constraint balances_check',
    `alter table balances add constraint balances_check check (${BALANCE})`,
  ];
}

/** Lines are numbered from 1, so that the first one represents its entry. */
function journal({ text, integer, flag, short }: Types): string {
  return `create table journal_lines (
      account ${text} not null,
      paper ${flag} not null,
      entry ${text} not null,
      line ${integer} not null check (line >= 1),
      at ${text} not null,
      cause ${text} not null,
      order_id ${text},
      ledger ${text} not null check (ledger in ('cash', 'position', 'fees', 'realised', 'capital')),
      market_id ${text},
      token ${text} check (token in ('YES', 'NO')),
      amount ${integer} not null check (amount <> 0 and ${signed('amount')}),
      primary key (account, paper, entry, line),
      check ((ledger = 'position') = (market_id is not null)),
      check ((market_id is null) = (token is null))
    ) ${short}`;
}

function equity({ text, integer, flag, short }: Types): string {
  return `create table equity (
      account ${text} not null,
      paper ${flag} not null,
      strategy_id ${text} not null,
      at ${text} not null,
      cash ${integer} check (${signed('cash')}),
      positions ${integer} not null check (${unsigned('positions')}),
      realised ${integer} not null check (${signed('realised')}),
      unrealised ${integer} not null check (${signed('unrealised')}),
      fees ${integer} not null check (${unsigned('fees')}),
      primary key (account, paper, strategy_id, at)
    ) ${short}`;
}

/** One statement, so that the lines of an entry share its id: a UUIDv7 whose last digits count the balances. */
function openings(dialect: Dialect['name'], at: Date): string {
  const time = at.getTime().toString(16).padStart(12, '0');
  const prefix = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-`;
  const nth = 'row_number() over (order by account, paper)';
  const digits = dialect === 'sqlite' ? `printf('%012x', ${nth})` : `lpad(to_hex(${nth}), 12, '0')`;
  const own = `positions.account = opened.account and positions.paper = opened.paper and strategy_id = ''`;
  const nothing = 'cast(null as text) as market_id, cast(null as text) as token';
  return `with opened as (
      select account, paper, cash, '${prefix}' || ${digits} as entry from balances
    ), lines as (
      select 1 as place, account, paper, entry, 'cash' as ledger, ${nothing}, cash as amount from opened
      union all
      select 2, opened.account, opened.paper, entry, 'position', market_id, token, cost
      from opened join positions on ${own}
      union all
      select 3, account, paper, entry, 'capital', ${nothing},
        -(cash + cast(coalesce((select sum(cost) from positions where ${own}), 0) as bigint))
      from opened
    )
    insert into journal_lines (account, paper, entry, line, at, cause, ledger, market_id, token, amount)
    select account, paper, entry, row_number() over (partition by entry order by place, market_id, token),
      '${at.toISOString()}', 'opening', ledger, market_id, token, amount
    from lines where amount <> 0`;
}
