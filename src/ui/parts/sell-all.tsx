import { useEffect, useState } from 'preact/hooks';
import type { WireBook, WireHolding, WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { formatMicro } from '../../core/money.js';
import { ApiRefusal, api } from '../net/api.js';
import { plainDecimal } from '../state/amounts.js';
import { type PlannedSale, planSale, saleCommand } from '../state/sale.js';
import { accountStop } from '../state/stops.js';
import { refusalOnPage } from '../state/words.js';
import { Act } from './act.tsx';
import { Badge, Empty, Gain, Money, Plain, Trouble } from './figures.tsx';
import { Link, pathTo } from './link.tsx';
import { DataTable } from './table.tsx';
import { useMoneyNames, useReading, useSelected } from './use-store.js';

/** How many positions are read and sold in one go. */
const MOST_SOLD = 50;
const AT_ONCE = 4;

/** A position, and how it would be sold now; a sentence where it cannot be. */
interface Offered {
  readonly held: WireHolding;
  readonly plan: PlannedSale | string;
}

/** What became of the order for a position: the order, or why there is none. */
type Results = ReadonlyMap<WireHolding, WireOrder | string>;

/** How what is held would be sold at once, by the books of now. */
function useSales(paper: boolean) {
  const positions = useSelected(({ portfolios }) => portfolios[paper ? 'paper' : 'live']?.row.positions ?? NOTHING);
  const [held] = useState(positions.filter(({ shares }) => shares !== '0').slice(0, MOST_SOLD));
  const reading = useReading(`sales ${paper}`, () => inTurns(held, offered));
  return { ...reading, more: positions.length - held.length };
}

const NOTHING: readonly WireHolding[] = [];

async function offered(held: WireHolding): Promise<Offered> {
  const at = `/v1/exchange/markets/${encodeURIComponent(held.market_id)}`;
  try {
    const [market, book] = await Promise.all([
      api<WireMarket>(`${at}?venue=${held.venue}`),
      api<WireBook>(`${at}/book?token=${held.token}&venue=${held.venue}`),
    ]);
    return { held, plan: planSale(held, market, book) };
  } catch (error) {
    return { held, plan: error instanceof ApiRefusal ? error.message : 'The service did not answer about it.' };
  }
}

/** Does something for each, some at a time, and keeps their order. */
async function inTurns<One, Result>(all: readonly One[], work: (one: One, at: number) => Promise<Result>) {
  const results: Result[] = [];
  const queue = [...all.entries()];
  const take = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return results;
}

/** Sells all that is held on paper, one order for each position, after a review. */
export function SellAllAct() {
  const count = useSelected(({ portfolios }) => portfolios.paper?.row.positions.length ?? 0);
  const isHalted = useSelected(({ known, now }) => accountStop(known.trading, now, true)?.state === 'halted');
  const [sales, setSales] = useState<readonly Offered[] | null>(null);
  const [results, setResults] = useState<Results>(new Map());
  const planned = (sales ?? []).filter(({ plan }) => typeof plan !== 'string');
  const send = async (idempotencyKey: string) => {
    let isUnanswered = false;
    const found = await inTurns(planned, async ({ held, plan }, at) => {
      try {
        return await sold(held, plan as PlannedSale, `${idempotencyKey}-${at}`);
      } catch (error) {
        isUnanswered ||= !(error instanceof ApiRefusal);
        return error instanceof ApiRefusal ? error.message : 'no answer';
      }
    });
    setResults(new Map(found.map((result, at) => [planned[at]?.held as WireHolding, result])));
    // The same keys are sent again: what was sold is not sold twice.
    if (isUnanswered) throw new TypeError('the service did not answer');
    return found;
  };
  return (
    <Act<readonly (WireOrder | string)[]>
      label="Sell everything"
      scopes={['orders:paper']}
      confirm={planned.length === 1 ? 'Sell 1 position on paper' : `Sell ${planned.length} positions on paper`}
      grave
      isOffered={count > 0}
      forbidden={
        isHalted ? 'Trading is halted, so nothing is sold: resume, or allow only what lowers a worst case.' : null
      }
      opened={() => {
        setSales(null);
        setResults(new Map());
      }}
      ready={planned.length > 0}
      send={send}
      outcome={(found) => {
        const orders = found.filter((one) => typeof one !== 'string');
        const filled = orders.filter(({ filled_shares }) => filled_shares !== '0').length;
        return `${filled} of ${found.length} orders filled. What became of each is in the table.`;
      }}
    >
      <SalesReview sales={sales} setSales={setSales} results={results} />
    </Act>
  );
}

const sold = ({ market_id, venue, token }: WireHolding, { price, sizeUsdc }: PlannedSale, idempotencyKey: string) =>
  api<WireOrder>('/v1/exchange/orders', {
    method: 'POST',
    idempotencyKey,
    body: { market_id, venue, token, side: 'SELL', price, size_usdc: sizeUsdc, time_in_force: 'FAK', paper: true },
  });

interface SalesReviewProps {
  readonly sales: readonly Offered[] | null;
  readonly setSales: (sales: readonly Offered[]) => void;
  readonly results: Results;
}

function SalesReview({ sales, setSales, results }: SalesReviewProps) {
  const { value, problem, again, more } = useSales(true);
  // What was read stays until it is asked for again, so that what is sent is what was read.
  useEffect(() => {
    if (value !== null) setSales(value);
  }, [value]);
  if (sales === null) return problem === null ? <p>Reading the books…</p> : <Trouble text={problem} />;
  const plans = sales.flatMap(({ plan }) => (typeof plan === 'string' ? [] : [plan]));
  const proceeds = plans.reduce((sum, { figures }) => sum + figures.bound, 0n);
  return (
    <>
      <p>
        <Badge tone="paper">PAPER</Badge> One order for each, at once or not at all, never below its worst price. They
        bring at least{' '}
        <b>
          <Money value={proceeds} /> USDC
        </b>{' '}
        after fees.{more > 0 ? ` ${more} more are not in it: sell again for those.` : ''}
      </p>
      <SalesTable sales={sales} results={results} />
      {results.size === 0 ? (
        <p>
          <button type="button" onClick={again}>
            Read the books again
          </button>
        </p>
      ) : null}
    </>
  );
}

function SalesTable({ sales, results }: Pick<SalesReviewProps, 'results'> & { readonly sales: readonly Offered[] }) {
  return (
    <DataTable<Offered>
      caption="What is sold"
      rows={sales}
      keyOf={({ held: { venue, market_id, token } }) => `${venue} ${market_id} ${token}`}
      columns={[
        {
          name: 'Outcome',
          cell: ({ held }) => (
            <>
              {held.outcome_label ?? held.token} <small>{held.question}</small>
            </>
          ),
        },
        { name: 'Shares', num: true, cell: ({ held }) => <Plain value={held.shares} /> },
        {
          name: 'Worst price',
          num: true,
          cell: ({ plan }) => (typeof plan === 'string' ? '—' : <Plain value={plan.price} />),
        },
        {
          name: 'Brings at least',
          num: true,
          cell: ({ plan }) => (typeof plan === 'string' ? '—' : <Money value={plan.figures.bound} />),
        },
        {
          name: 'What becomes of it',
          cell: ({ held, plan }) => <Became plan={plan} result={results.get(held)} />,
        },
      ]}
    />
  );
}

function Became({
  plan,
  result,
}: {
  readonly plan: PlannedSale | string;
  readonly result: WireOrder | string | undefined;
}) {
  const newest = useSelected(({ known }) => (typeof result === 'object' ? known.orders.get(result.id) : undefined));
  if (typeof result === 'string') return <>Not sold: {result}</>;
  const order = newest ?? result;
  if (order !== undefined)
    return (
      <>
        <Link to={pathTo('orders', order.id)}>{order.status.replace('_', ' ')}</Link>,{' '}
        <Plain value={order.filled_shares} /> sold{order.error === null ? '' : `: ${errorWords(order.error)}`}
      </>
    );
  if (typeof plan === 'string') return <>Not sold: {plan}</>;
  return (
    <>
      {plan.left > 0n ? `No bid for ${plainDecimal(formatMicro(plan.left))} shares: they stay.` : 'All of it is sold.'}
    </>
  );
}

/** Why it was not sold: the price that the books had meanwhile is the usual reason. */
const errorWords = (error: string): string =>
  error.startsWith('fak_no_match')
    ? 'no bid was left at this price or better. Close this form and open it again: it reads the books anew.'
    : refusalOnPage(error);

/** The commands that sell what is held with real money: the page does not sell it. */
export function LiveSales() {
  const { live } = useMoneyNames();
  const { value, problem, more } = useSales(false);
  if (value === null) return problem === null ? <p>Reading the books…</p> : <Trouble text={problem} />;
  if (value.length === 0) return <Empty>Nothing is held with {live}.</Empty>;
  return (
    <>
      <p>
        Nothing that is held is sold by this. Before you halt, these commands of the terminal sell it, at no worse price
        than they say{more > 0 ? `; ${more} more positions are not listed` : ''}:
      </p>
      <ul class="plainlist">
        {value.map(({ held, plan }) => (
          <li key={`${held.venue} ${held.market_id} ${held.token}`}>
            {held.outcome_label ?? held.token}, <Plain value={held.shares} /> shares:{' '}
            {typeof plan === 'string' ? (
              plan
            ) : (
              <>
                worst price <Plain value={plan.price} />, brings at least <Gain value={plan.figures.bound} /> USDC.{' '}
                <code>{saleCommand(held, plan)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
