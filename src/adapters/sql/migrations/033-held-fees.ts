import type { Dialect } from '../columns.js';
import type { RunStatement } from '../store.js';

const LIMIT = '9007199254740992';
const KEY = ['account', 'paper', 'venue', 'market_id', 'token', 'strategy_id'] as const;

/** Room for the fees of the shares that are held, in positions, and for those that sales took out, in fills. */
export function heldFeesSchema(dialect: Dialect['name']): readonly string[] {
  const integer = dialect === 'sqlite' ? 'integer' : 'bigint';
  const taken = (column: string) =>
    `alter table fills add column ${column} ${integer} check (${column} >= 0 and ${column} < ${LIMIT})`;
  return [
    `alter table positions add column held_fees ${integer} check (held_fees > 0 and held_fees < ${LIMIT})`,
    taken('basis_fees'),
    taken('basis_strategy_fees'),
  ];
}

/**
 * Computes the fees of what each position holds from its fills, in the order in which the journal booked them: a purchase adds
 * its fee, a sale takes out the part of the shares that it sold. What strategies have at work grows by as much.
 */
export async function fillHeldFees(run: RunStatement): Promise<void> {
  const open = await run(`select distinct account from positions where shares > 0 and fees > 0`);
  for (const { account } of open) await fillAccount(run, quoted(account));
  const own = 'account = exposures.account and strategy_id = exposures.strategy_id and paper = exposures.paper';
  const fees = `(select sum(held_fees) from positions where ${own})`;
  await run(`update exposures set committed = committed + ${fees} where ${fees} > 0`);
}

async function fillAccount(run: RunStatement, account: string): Promise<void> {
  const open = await run(
    `select ${KEY.join(', ')}, shares, fees from positions where account = ${account} and shares > 0 and fees > 0`,
  );
  const resets = await run(
    `select paper, max(entry) as entry from journal_lines where account = ${account} and cause = 'reset' group by paper`,
  );
  const since = new Map(resets.map(({ paper, entry }) => [`${paper}`, `${entry}`]));
  const holdings = new Map(open.map((row) => [KEY.map((name) => `${row[name]}`).join('\n'), new HeldFees()]));
  for (const fill of await run(fillsOf(account))) {
    if (`${fill['entry']}` <= (since.get(`${fill['paper']}`) ?? '')) continue;
    const outcome = KEY.slice(0, -1).map((name) => `${fill[name]}`);
    const amounts = (shares: unknown) => [BigInt(`${shares}`), BigInt(`${fill['fee']}`)] as const;
    const isBuy = fill['side'] === 'BUY';
    holdings.get([...outcome, ''].join('\n'))?.trade(isBuy, ...amounts(fill['shares']));
    const part = fill['strategy_id'];
    if (part !== null)
      holdings.get([...outcome, `${part}`].join('\n'))?.trade(isBuy, ...amounts(isBuy ? fill['shares'] : fill['own']));
  }
  for (const row of open) {
    const found = holdings.get(KEY.map((name) => `${row[name]}`).join('\n'));
    const fees = found?.of(BigInt(`${row['shares']}`), BigInt(`${row['fees']}`)) ?? 0n;
    const where = KEY.map((name) => `${name} = ${quoted(row[name])}`).join(' and ');
    if (fees > 0n) await run(`update positions set held_fees = ${fees} where ${where}`);
  }
}

/** The fills of one account that stand, by the entries that book them. The first fills of an account may be older than its journal. */
function fillsOf(account: string): string {
  const booked = `select order_id, entry, row_number() over (partition by order_id order by entry desc) as place
    from (select distinct order_id, entry from journal_lines where account = ${account} and cause = 'fill') as entries`;
  const made = `select *, row_number() over (partition by order_id order by n desc) as place
    from fills where account = ${account}`;
  return `select booked.entry, orders.account, orders.paper, orders.venue, orders.market_id, orders.token, orders.strategy_id,
      orders.side, made.shares, made.fee, made.basis_strategy_shares as own
    from (${booked}) as booked
    join (${made}) as made on made.order_id = booked.order_id and made.place = booked.place
    join orders on orders.account = ${account} and orders.id = booked.order_id
    where made.settlement <> 'voided' order by booked.entry`;
}

/** The shares of one holding, and the fees paid for them, trade by trade. */
class HeldFees {
  #shares = 0n;
  #fees = 0n;

  trade(isBuy: boolean, shares: bigint, fee: bigint): void {
    if (isBuy) [this.#shares, this.#fees] = [this.#shares + shares, this.#fees + fee];
    else {
      const rest = this.#shares > shares ? this.#shares - shares : 0n;
      this.#fees = rest === 0n ? 0n : (this.#fees * rest) / this.#shares;
      this.#shares = rest;
    }
  }

  /** Those of as many shares as are on record, and no more than were ever paid. */
  of(shares: bigint, most: bigint): bigint {
    const fees = this.#shares > shares ? (this.#fees * shares) / this.#shares : this.#fees;
    return fees < most ? fees : most;
  }
}

function quoted(value: unknown): string {
  if (typeof value === 'boolean' || typeof value === 'number') return `${value}`;
  return `'${`${value}`.replaceAll("'", "''")}'`;
}
