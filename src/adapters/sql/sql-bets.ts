import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { BetRow } from '../../core/performance/bet.js';
import { type BetFilter, betOrder, isByProfit } from '../../core/performance/bet-filter.js';
import { betIn, betListIn, booksIn, booksText, earlierOrdersIn, parsedBets } from '../../core/performance/bet-text.js';
import type { EarlierOrders } from '../../core/performance/earlier-orders.js';
import { type KeptSums, keptSumsListIn } from '../../core/performance/kept-sums.js';
import type {
  BetChange,
  BetHead,
  BetProgress,
  BetScope,
  BetStore,
  SumScope,
  UnclosedBet,
} from '../../ports/bet-store.js';
import { BET_SUMS, BETS, EARLIER_ORDERS, storedBet, storedOrders, storedSum } from './bet-table.js';
import { type Dialect, LIMITED, rowIn, rowsIn, textColumn, textIn, wholeIn } from './columns.js';
import { byKey, RecentlyRead } from './recently-read.js';
import { comparable, RowReader } from './row-reader.js';
import type { StoreAccess } from './sql-event-log.js';
import type { Ask, BoundStatement, Store } from './store.js';
import { rows, storing, type Table } from './table.js';

/** Bets in SQLite or Postgres. */
export class SqlBets implements BetStore {
  readonly #rows: RowReader;
  readonly #progress: string;
  readonly #head: string;
  readonly #statements: BetStatements;
  readonly #known = new RecentlyRead(betsInRows);

  constructor(
    private readonly store: Store,
    private readonly access: StoreAccess,
  ) {
    this.#rows = new RowReader(store);
    this.#progress = progressing(store.dialect);
    this.#head = readingHead(store.dialect);
    this.#statements = statementsOf(store.dialect);
  }

  async head(account: AccountId): Promise<BetHead | undefined> {
    const [found] = rowsIn(await this.#ask(this.#head, account));
    if (found === undefined) return undefined;
    const [version, seq, books, sumsForm] = found;
    return { version: wholeIn(version), seq: wholeIn(seq), books: booksIn(textIn(books)), sumsForm: textIn(sumsForm) };
  }

  async progress(account: AccountId): Promise<BetProgress> {
    const [version, seq, sumsForm, last] = rowIn(await this.#ask(this.#progress, account, account));
    return { version: wholeIn(version), seq: wholeIn(seq), sumsForm: textIn(sumsForm), last: wholeIn(last) };
  }

  async find(account: AccountId, { outcomes, events, open, unclosed }: BetScope): Promise<readonly BetRow[]> {
    const texts = [open && openOf(outcomes), unclosed && 'closes_at is not null'];
    const others = texts.flatMap((text): Condition[] => (text === undefined ? [] : [[text, []]]));
    const conditions = [...among('outcome', outcomes), ...among('event', events), ...others];
    return betListIn(await this.#listed('bets', account, conditions)).toSorted(byOpening);
  }

  /** The head is stored first, and only by whoever changes the version that it read: so the rest is, too. */
  async advance(change: BetChange): Promise<boolean> {
    const statements = this.#storing(change, await sumTexts(change));
    return this.access.write(async () => {
      const isStored = await this.store.batch(statements);
      // A write to a file that was taken away is not stored.
      this.store.check();
      return isStored;
    });
  }

  #storing(change: BetChange, sumRows: readonly string[]): readonly BoundStatement[] {
    const { account, from, head, bets, gone, sums, orders = [], remade = [] } = change;
    const own = this.#statements;
    const values = [from + 1, head.seq, booksText(head.books), head.sumsForm, account];
    const stored = (sql: string, rows: readonly string[]) =>
      rows.map((json): BoundStatement => ({ sql, values: [json] }));
    const without = (sql: string, ids: readonly string[]): BoundStatement[] =>
      ids.length === 0 ? [] : [{ sql, values: [account, JSON.stringify(ids.map((id) => [id]))] }];
    return [
      from === 0 ? { sql: own.begin, values } : { sql: own.advance, values: [...values, from] },
      ...without(own.withoutBets, gone),
      ...without(own.withoutOrders, [...gone, ...remade]),
      ...(sums.anew ? [{ sql: own.withoutSums, values: [account] }] : []),
      ...stored(own.bets, jsonRows(bets.map(storedBet).map(BETS.encode))),
      ...stored(own.orders, jsonRows(orders.map((part) => EARLIER_ORDERS.encode(storedOrders(account, part))))),
      ...stored(own.sums, sumRows),
    ];
  }

  async ordersOf(account: AccountId, bets: readonly string[]): Promise<readonly EarlierOrders[]> {
    return earlierOrdersIn(await this.#listed('bet_orders', account, among('bet', bets)));
  }

  async sums(account: AccountId, { by, paper, names }: SumScope): Promise<readonly KeptSums[]> {
    const kinds = paper === undefined ? [] : [[`paper = ${paper}`, []] as const];
    const conditions = [...among('divided_by', by && [by]), ...kinds, ...among('name', names)];
    return keptSumsListIn(await this.#listed('bet_sums', account, conditions));
  }

  async unclosed(dueBefore: Date, { limit, after }: Page<UnclosedBet>): Promise<readonly BetRow[]> {
    const found = await this.access.read(() =>
      this.#rows.all(BODIES, (q) => {
        q.where('closes_at', '<', comparable(dueBefore)).orderBy(['closes_at', 'account', 'id']).limit(limit);
        if (after === undefined) return;
        const { startsAt, account, id } = after;
        q.whereRaw('(closes_at, account, id) > (?, ?, ?)', [comparable(startsAt ?? dueBefore), account, id]);
      }),
    );
    return found.map(({ body }) => betIn(body));
  }

  behind({ limit, after = '' as AccountId }: Page<AccountId>): Promise<readonly AccountId[]> {
    return this.access.read(async () => {
      const found = await this.store.reader.raw(BEHIND, [after, limit]);
      const accounts: readonly { readonly id: string }[] = this.store.dialect.name === 'postgres' ? found.rows : found;
      return accounts.map(({ id }) => textIn(id) as AccountId);
    });
  }

  async list(account: AccountId, filter: BetFilter, page: Page<string>): Promise<readonly BetRow[]> {
    const { limit, after } = page;
    if (!isByProfit(filter)) return this.#page(account, filter, limit, after === undefined ? [] : [after]);
    const last = after === undefined ? undefined : await this.#profitOf(account, after);
    if (last === null) return [];
    const place = after === undefined || last === undefined ? [] : [last, after];
    // The index of profits is of one kind of money.
    const kinds = filter.paper === undefined ? [true, false] : [filter.paper];
    const found = kinds.map((paper) => this.#page(account, { ...filter, paper }, limit, place));
    return (await Promise.all(found)).flat().sort(betOrder(filter)).slice(0, limit);
  }

  /** Goes on after what its order compares of the last bet; the joined rows need not come in that order. */
  async #page(account: AccountId, filter: BetFilter, limit: number, place: Place): Promise<readonly BetRow[]> {
    const conditions = conditionsOf(account, filter, place);
    const sql = listing(
      this.store.dialect,
      conditions.map(([condition]) => condition),
      orderedBy(filter),
    );
    const bindings = conditions.flatMap(([, values]) => values);
    const asked = { sql, values: [...bindings, limit] };
    const sorted = (text: string) => this.#known.records(byKey(text)).sort(betOrder(filter));
    return this.access.read(() => this.store.reads.made(asked, sorted));
  }

  /** The documents of the rows of an account that meet conditions, as one JSON array in no order. */
  #listed(from: string, account: AccountId, conditions: readonly Condition[]): Promise<string> {
    const { dialect } = this.store;
    let marks = 0;
    const where = [['account = ?', [account]] as const, ...conditions].map(([condition]) =>
      (typeof condition === 'string' ? condition : condition(dialect)).replaceAll('?', () =>
        dialect.parameter(marks++),
      ),
    );
    const sql = `select ${dialect.listed('body')} as found from ${from} where ${where.join(' and ')}`;
    return this.#ask(sql, account, ...conditions.flatMap(([, values]) => values));
  }

  #ask(...asked: Parameters<Ask>): Promise<string> {
    return this.access.read(() => this.store.reads.using((ask) => ask(...asked)));
  }

  /** Null where the bet is there no longer, or has not ended. */
  async #profitOf(account: AccountId, id: string): Promise<number | null> {
    const [bet] = betListIn(await this.#listed('bets', account, [['id = ?', [id]]]));
    return bet === undefined || bet.settledAt === null ? null : Number(bet.profit);
  }
}

/** What a list compares of its last bet: by profit that and the id, or the id alone; nothing at its beginning. */
type Place = readonly (string | number)[];

const isUp = ({ order }: BetFilter): boolean => order === 'oldest' || order === 'worst';

/** The order of a page, as its index has it. */
function orderedBy(filter: BetFilter): string {
  const way = isUp(filter) ? 'asc' : 'desc';
  return isByProfit(filter) ? `profit ${way}, id ${way}` : `id ${way}`;
}

/** What must be true of the bets of a page: a piece of SQL, and the values of its marks. */
function conditionsOf(account: AccountId, filter: BetFilter, place: Place) {
  const moment = (date: Date | undefined) => date && comparable(date);
  const than = isUp(filter) ? '>' : '<';
  // A market has few bets: among profits, other conditions are written so that no index but its own is used.
  const isOfMarket = isByProfit(filter) && filter.marketId !== undefined;
  const [profit, ended] = isOfMarket ? ['profit + 0', "result <> 'open'"] : ['profit', 'profit is not null'];
  const compared = place.length === 2 ? `(${profit}, id) ${than} (?, ?)` : `id ${than} ?`;
  const conditions: readonly (readonly [condition: string, value: string | undefined])[] = [
    ['account = ?', account],
    ['result = ?', filter.result],
    ['market_id = ?', filter.marketId],
    ['strategy_id = ?', filter.strategyId],
    ['venue = ?', filter.venue],
    [`${isOfMarket ? `(${KIND}) || ''` : KIND} = ?`, paperText(filter.paper)],
    ['opened_at > ?', moment(filter.placedAfter)],
    ['opened_at < ?', moment(filter.placedBefore)],
    ['settled_at >= ?', moment(filter.settledAfter)],
    ['settled_at < ?', moment(filter.settledBefore)],
  ];
  return [
    ...conditions.flatMap(([condition, value]) => (value === undefined ? [] : [[condition, [value]] as const])),
    ...(place.length === 0 ? [] : [[compared, place] as const]),
    ...(isByProfit(filter) ? [[ended, []] as const] : []),
  ];
}

/** As its indexes have it. */
const KIND = "case when paper then 'paper' else 'money' end";

const paperText = (paper: boolean | undefined) => (paper === undefined ? undefined : paper ? 'paper' : 'money');

/** The statement of a page, by its conditions; its last mark is how many bets. */
function listing(dialect: Dialect, conditions: readonly string[], order: string): string {
  let marks = 0;
  const page = `select account, id as bet, body from bets where ${conditions.join(' and ')} order by ${order} ${LIMITED}`;
  const apart = `select orders.bet, orders.body from page cross join bet_orders as orders
    where orders.account = page.account and orders.bet = page.bet`;
  const line = `'[' || ${dialect.text(dialect.array(['bet']))} || ',' || body || ']'`;
  return `with page as (${page.replaceAll('?', () => dialect.parameter(marks++))})
    select ${dialect.lines(line)} as lines from (select bet, body from page union all ${apart}) as parts`;
}

/** The bets of such lines: each has the id of a bet, and its document or that of some of its orders. */
const betsInRows = (texts: readonly string[]): readonly BetRow[] =>
  parsedBets((JSON.parse(`[${texts.join(',')}]`) as readonly (readonly [unknown, never])[]).map(([, body]) => body));

/** A piece of SQL, which may depend on the dialect, and the values of its marks. */
type Condition = readonly [condition: string | ((dialect: Dialect) => string), values: readonly string[]];

/** That a column has one of these values; nothing where none are given. */
const among = (column: string, values: readonly string[] | undefined): readonly Condition[] =>
  values === undefined
    ? []
    : [[(dialect) => `${column} ${dialect.among(namedIn(dialect))}`, [JSON.stringify(values.map((value) => [value]))]]];

/** The names of a JSON array. */
const namedIn = (dialect: Dialect) => `select ${dialect.member(0, 'text')} from ${dialect.elements('?')}`;

/** Only open ones. Those of some outcomes are not looked up by their result: its index would find all open ones of the account. */
const openOf = (outcomes: BetScope['outcomes']) => (outcomes ? "coalesce(result, '') = 'open'" : "result = 'open'");

/** The order in which bets were opened. */
const byOpening = (a: BetRow, b: BetRow): number =>
  a.firstFillAt.getTime() - b.firstFillAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The head of an account, where it has one. */
const readingHead = (dialect: Dialect): string =>
  `select ${dialect.text(dialect.gathered(dialect.array(['version', 'seq', 'books', 'sums_form'])))} as found
    from bet_heads where account = ${dialect.parameter(0)}`;

/** How far the bets of an account are from its log. */
const progressing = (dialect: Dialect): string => {
  const last = `select max(seq) from account_events where account = ${dialect.parameter(0)}`;
  const known = ['coalesce(version, 0)', 'coalesce(head.seq, 0)', "coalesce(sums_form, '')", `coalesce((${last}), 0)`];
  return `select ${dialect.text(dialect.array(known))} as progress from (select 1 as one) as own
    left join bet_heads as head on account = ${dialect.parameter(1)}`;
};

/** The statements of a change, in their order. */
function statementsOf(dialect: Dialect) {
  const marked = (sql: string) => {
    let marks = 0;
    return sql.replaceAll('?', () => dialect.parameter(marks++));
  };
  const named = `(${namedIn(dialect)})`;
  const put = <T>(into: Table<T>) => marked(storing(into, dialect)('?'));
  return {
    begin: marked(`insert into bet_heads (version, seq, books, sums_form, account) values (?, ?, ?, ?, ?)
      on conflict (account) do nothing returning account`),
    advance: marked(`update bet_heads set version = ?, seq = ?, books = ?, sums_form = ?
      where account = ? and version = ? returning account`),
    withoutBets: marked(`delete from bets where account = ? and id in ${named}`),
    withoutOrders: marked(`delete from bet_orders where account = ? and bet in ${named}`),
    withoutSums: marked('delete from bet_sums where account = ?'),
    bets: put(BETS),
    orders: put(EARLIER_ORDERS),
    sums: put(BET_SUMS),
  };
}

type BetStatements = ReturnType<typeof statementsOf>;

/** One probe of an index for each account. */
const BEHIND = `select id from accounts
  where id > ?
    and (select max(seq) from account_events where account_events.account = accounts.id) >
      coalesce((select seq from bet_heads where bet_heads.account = accounts.id), 0)
  order by id limit ?`;

/** A bet as it is read: all of it is in its document. */
const BODIES = rows<{ readonly body: string }>('bets', { body: textColumn() });

/** Rows as one JSON array; none where there are none. */
const jsonRows = (rows: readonly unknown[]) => (rows.length === 0 ? [] : [JSON.stringify(rows)]);

/** Some milliseconds of work. */
const SUMS_TOGETHER = 100;

/** The sums of a change as JSON arrays of rows, made before the transaction, in which orders wait; other work has its turn in between. */
async function sumTexts({ account, sums: { rows: all } }: BetChange): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let at = 0; at < all.length; at += SUMS_TOGETHER) {
    if (at > 0) await nextTurn();
    const some = all.slice(at, at + SUMS_TOGETHER);
    texts.push(JSON.stringify(some.map((row) => BET_SUMS.encode(storedSum(account, row)))));
  }
  return texts;
}
