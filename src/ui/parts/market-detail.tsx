import { useState } from 'preact/hooks';
import type { WireBook, WireMarket, WireMinute } from '../../adapters/http/answers.js';
import { formatMicro } from '../../core/money.js';
import { decimalsFor, fixed } from '../../report/words.js';
import { api, type ListPage } from '../net/api.js';
import { microOf, percentOf } from '../state/amounts.js';
import { isResting } from '../state/reduce.js';
import { ownShares } from '../state/ticket.js';
import { Badge, Card, Moment, Plain, Trouble } from './figures.tsx';
import { Link } from './link.tsx';
import { LinePlot } from './plot.tsx';
import { DataTable } from './table.tsx';
import { Ticket } from './ticket.tsx';
import { useReading, useSelected } from './use-store.js';

const LEVELS = 8;
type Level = WireBook['asks'][number];

/** One market: the book of an outcome, as it changes, and a ticket. */
export function MarketDetail({ venue, id }: { readonly venue: string; readonly id: string }) {
  const path = `/v1/exchange/markets/${encodeURIComponent(id)}?venue=${encodeURIComponent(venue)}`;
  const market = useReading(path, (signal) => api<WireMarket>(path, { signal }));
  return market.value === null ? <Trouble text={market.problem} /> : <Detail market={market.value} />;
}

function Detail({ market }: { readonly market: WireMarket }) {
  const [token, setToken] = useState<'YES' | 'NO'>('YES');
  const path = `/v1/exchange/markets/${encodeURIComponent(market.id)}/book?token=${token}&venue=${market.venue}`;
  const book = useReading(path, (signal) => api<WireBook>(path, { signal }), 1000);
  const labels = (['YES', 'NO'] as const).map((name) => ({
    name,
    label: market.outcomes?.find((outcome) => outcome.token === name)?.label ?? name,
  }));
  const orders = useSelected(({ known }) => known.orders);
  const own = [...orders.values()].filter(
    (one) => one.paper && isResting(one) && one.market_id === market.id && one.venue === market.venue,
  );
  const label = labels.find(({ name }) => name === token)?.label ?? token;
  return (
    <Card title={market.question ?? market.id} wide>
      <div class="acts">
        {labels.map((outcome) => (
          <button
            type="button"
            key={outcome.name}
            aria-pressed={token === outcome.name}
            onClick={() => setToken(outcome.name)}
          >
            {outcome.label}
          </button>
        ))}
        <span class="gap" />
        <Link to="markets" isButton>
          Close
        </Link>
      </div>
      <Trouble text={book.problem} />
      <div class="two">
        <div>
          <Age book={book.value} />
          <Side
            caption={`Offers of ${label}`}
            levels={(book.value?.asks ?? []).slice(0, LEVELS).toReversed()}
            tone="down"
            own={ownShares(own, token, 'SELL')}
          />
          <Side
            caption={`Bids for ${label}`}
            levels={(book.value?.bids ?? []).slice(0, LEVELS)}
            tone="up"
            own={ownShares(own, token, 'BUY')}
          />
        </div>
        <Ticket key={token} market={market} token={token} label={label} book={book.value} />
      </div>
      <History market={market} token={token} label={label} />
    </Card>
  );
}

/** Minutes that are read: a day in which each changes is more. */
const MINUTES = 1000;

/** The best prices of an outcome by the minute, as the server saw them. */
function History(props: { readonly market: WireMarket; readonly token: 'YES' | 'NO'; readonly label: string }) {
  const { market, token, label } = props;
  const query = `token=${token}&venue=${encodeURIComponent(market.venue)}&limit=${MINUTES}`;
  const path = `/v1/exchange/markets/${encodeURIComponent(market.id)}/history?${query}`;
  const { value, problem } = useReading(path, (signal) => api<ListPage<WireMinute>>(path, { signal }), 60_000);
  const minutes = value?.data.toReversed() ?? [];
  const last = minutes.at(-1);
  if (last === undefined || minutes.length < 2)
    return problem === null && value !== null ? (
      <p class="hint">
        No prices by the minute yet: they are recorded while a strategy or an order follows the market.
      </p>
    ) : (
      <Trouble text={problem} />
    );
  return (
    <LinePlot
      gist={`${label} at ${last.at.slice(11, 16)} UTC, its last recorded minute: bid ${last.bid ?? 'none'}, ask ${last.ask ?? 'none'}; the book above is newer`}
      series={[
        { name: 'bid', points: minutes.map(({ at, bid }) => ({ at, value: bid })) },
        { name: 'ask', points: minutes.map(({ at, ask }) => ({ at, value: ask })), dashed: true },
      ]}
      axis={`price of ${label}, USDC`}
      format={(price, step) => fixed(price, step === 0 ? 3 : decimalsFor(step))}
    />
  );
}

/** How old a book is, by its own clock: on a recording that is the time of the recording. */
function Age({ book }: { readonly book: WireBook | null }) {
  useSelected(({ now }) => now);
  if (book === null) return <p class="hint">No book yet.</p>;
  return (
    <p class={book.fresh ? 'hint' : 'hint stale'}>
      {book.fresh ? null : <Badge tone="warn">stale: nothing fills</Badge>} Book of <Moment at={book.at} />
    </p>
  );
}

interface SideProps {
  readonly caption: string;
  readonly levels: readonly Level[];
  readonly tone: 'up' | 'down';
  /** Shares of own paper orders by their price. */
  readonly own: ReadonlyMap<string, bigint>;
}

function Side({ caption, levels, tone, own }: SideProps) {
  const most = levels.reduce((sum, { size }) => (microOf(size) > sum ? microOf(size) : sum), 1n);
  return (
    <DataTable<Level>
      caption={caption}
      rows={levels}
      keyOf={({ price }) => price}
      columns={[
        {
          name: caption,
          cell: ({ price }) => (
            <span class={tone}>
              <Plain value={price} />
            </span>
          ),
        },
        {
          name: 'Shares',
          num: true,
          cell: ({ size }) => (
            <>
              <Plain value={size} />
              <progress aria-hidden="true" max="100" value={percentOf(size, formatMicro(most))} />
            </>
          ),
        },
        {
          name: 'Yours',
          num: true,
          cell: ({ price }) => {
            const shares = own.get(formatMicro(microOf(price)));
            return shares === undefined ? null : <Plain value={formatMicro(shares)} />;
          },
        },
      ]}
    />
  );
}
