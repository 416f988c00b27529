import type { RunStatement } from '../store.js';

const ONE = 1_000_000n;
const WORKING = `state in ('pending', 'submitting', 'unknown', 'delayed', 'open', 'cancel_pending')`;

interface WrittenRisk {
  readonly group: unknown;
  readonly working: Readonly<Record<'lost' | 'split' | 'won', string>> & {
    readonly orders: number;
    readonly bids: unknown;
    readonly asks: readonly unknown[];
  };
}

interface Fee {
  readonly rate: string;
  readonly exponent: number;
  readonly takerOnly: boolean;
  readonly makerRate?: string;
  readonly rounding?: { readonly step: string; readonly each: string };
}

/**
 * What working sales may lose was kept as money, their proceeds against their shares, among the sums of working purchases. From
 * here on the shares alone are kept: those sums are taken out, as they were computed then, and the shares put in.
 */
export async function countWorkingSales(run: RunStatement): Promise<void> {
  const kept = await run(
    'select account, paper, venue, market_id, token, strategy_id, risk from positions where risk is not null',
  );
  for (const row of kept) {
    const { group, working } = JSON.parse(`${row['risk']}`) as WrittenRisk;
    const names = ['account', 'paper', 'venue', 'market_id', 'token'].map((name) => `${name} = ${quoted(row[name])}`);
    const strategy = row['strategy_id'] === '' ? '' : ` and strategy_id = ${quoted(row['strategy_id'])}`;
    const sales =
      working.asks.length === 0
        ? []
        : await run(`select price, post_only, shares, filled_shares, fee_schedule from orders
            where ${names.join(' and ')}${strategy} and side = 'SELL' and ${WORKING}`);
    const { orders, bids, asks } = working;
    const taken = sales.map(riskOf);
    const less = (name: 'lost' | 'split' | 'won') => {
      const rest = taken.reduce((sum, one) => sum - one[name], BigInt(working[name]));
      return `${rest > 0n ? rest : 0n}`;
    };
    const selling = `${taken.reduce((sum, one) => sum + one.shares, 0n)}`;
    const next = { orders, selling, lost: less('lost'), split: less('split'), won: less('won'), bids, asks };
    const where = [...names, `strategy_id = ${quoted(row['strategy_id'])}`].join(' and ');
    await run(`update positions set risk = ${quoted(JSON.stringify({ group, working: next }))} where ${where}`);
  }
}

/** What a working sale counted for: its shares against the least that it brings. */
function riskOf(row: Readonly<Record<string, unknown>>) {
  const amount = (name: string) => BigInt(`${row[name]}`);
  const left = amount('shares') - amount('filled_shares');
  const shares = left > 0n ? left : 0n;
  const price = amount('price');
  const isPostOnly = row['post_only'] === true || `${row['post_only']}` === '1';
  const fee = row['fee_schedule'];
  const schedule = fee === null ? null : (JSON.parse(`${fee}`) as Fee);
  const proceeds = (shares * price) / ONE - (schedule === null ? 0n : mostFee(schedule, shares, price, isPostOnly));
  const hurts = (worth: bigint) => (worth > proceeds ? worth - proceeds : 0n);
  return { shares, lost: hurts(0n), split: hurts((shares + 1n) / 2n), won: hurts(shares) };
}

/** The most that a fee can be, as it was computed then. */
function mostFee(
  { rate, exponent, takerOnly, makerRate, rounding }: Fee,
  shares: bigint,
  price: bigint,
  isPostOnly: boolean,
) {
  const taker = BigInt(rate);
  const maker = takerOnly ? 0n : BigInt(makerRate ?? rate);
  const most = taker > maker ? taker : maker;
  if (most === 0n || (isPostOnly && maker === 0n)) return 0n;
  const whole = ONE ** BigInt(2 * exponent + 1);
  const exact = shares * most * (price * (ONE - price)) ** BigInt(exponent);
  const due = (exact + whole - 1n) / whole;
  const step = BigInt(rounding?.step ?? 10);
  return rounding?.each === 'fill' ? due + step * (shares / ONE + 1n) : due + 2n * step;
}

const quoted = (value: unknown): string =>
  typeof value === 'boolean' || typeof value === 'number' ? `${value}` : `'${`${value}`.replaceAll("'", "''")}'`;
