import { useEffect, useState } from 'preact/hooks';
import type { WireBook, WireHolding, WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { ApiRefusal, api } from '../net/api.js';
import { hasMovedPast, sizeOfShares, ticketFigures } from '../state/ticket.js';
import { Act } from './act.tsx';
import { Badge, Plain, Trouble } from './figures.tsx';
import { LimitPrice, MovedPast, orderOutcome, TicketFacts } from './ticket.tsx';
import { useReading } from './use-store.js';

/** The members of an order that the user typed in. */
interface SellOrder {
  readonly price: string;
  readonly size_usdc: string;
}

/** Sells paper shares that are held, with the worst price and the fee shown before. */
export function SellAct({ held, closed }: { readonly held: WireHolding; readonly closed: () => void }) {
  const [order, setOrder] = useState<SellOrder | null>(null);
  const [isSent, setSent] = useState(false);
  const { market_id, venue, token } = held;
  const send = async (idempotencyKey: string) => {
    setSent(true);
    const body = { market_id, venue, token, side: 'SELL', ...order, paper: true };
    try {
      return await api<WireOrder>('/v1/exchange/orders', { method: 'POST', idempotencyKey, body });
    } catch (error) {
      // What was refused is reviewed before it is sent again. Without an answer it may have arrived: the same is sent again.
      if (error instanceof ApiRefusal) setSent(false);
      throw error;
    }
  };
  return (
    <Act<WireOrder>
      label="Sell"
      scopes={['orders:paper']}
      confirm="Sell on paper"
      opened={() => setSent(false)}
      closed={closed}
      ready={order !== null}
      send={send}
      outcome={orderOutcome}
    >
      <SellFields held={held} isSent={isSent} onOrder={setOrder} />
    </Act>
  );
}

interface SellFieldsProps {
  readonly held: WireHolding;
  readonly isSent: boolean;
  /** Hears of the order as it was read; null while it cannot be sent. */
  readonly onOrder: (one: SellOrder | null) => void;
}

function SellFields({ held, isSent, onOrder }: SellFieldsProps) {
  const at = `/v1/exchange/markets/${encodeURIComponent(held.market_id)}`;
  const read = <Row,>(path: string, everyMs?: number) =>
    useReading(path, (signal) => api<Row>(path, { signal }), everyMs);
  const market = read<WireMarket>(`${at}?venue=${held.venue}`);
  const book = read<WireBook>(`${at}/book?token=${held.token}&venue=${held.venue}`, 1000);
  const [shares, setShares] = useState(held.shares);
  const [typed, setPrice] = useState<string | null>(null);
  // The best bid when the form was opened, or when it was asked for again: it does not move while the user reads.
  const [offered, setOffered] = useState<string | null>(null);
  const best = book.value?.bids[0]?.price ?? held.mark_price ?? '';
  const isRead = market.value !== null && (book.value !== null || book.problem !== null);
  const price = typed ?? offered ?? '';
  const sizeUsdc = sizeOfShares(shares, price);
  const input = { side: 'SELL', price, sizeUsdc } as const;
  const now = market.value === null ? 'Reading the market…' : ticketFigures(input, market.value, book.value);
  const [reviewed, setReviewed] = useState(now);
  useEffect(() => {
    if (isRead && offered === null) setOffered(best);
  }, [isRead]);
  useEffect(() => setReviewed(now), [isRead, price, sizeUsdc]);
  const isPassed = !isSent && typeof reviewed !== 'string' && hasMovedPast(reviewed, now);
  const isGood = typeof reviewed !== 'string' && !isPassed;
  useEffect(() => onOrder(isGood ? { price, size_usdc: sizeUsdc } : null), [isGood, price, sizeUsdc]);
  const again = () => {
    setOffered(best);
    setReviewed(now);
  };
  return (
    <>
      <p>
        <Badge tone="paper">PAPER</Badge> {held.name}, <Plain value={held.shares} /> shares held at{' '}
        <Plain value={held.average_price} />.
      </p>
      <Trouble text={market.problem ?? book.problem} />
      <label>
        Shares <input inputMode="decimal" value={shares} onInput={(event) => setShares(event.currentTarget.value)} />
      </label>
      <LimitPrice value={price} setPrice={setPrice} />
      {typeof reviewed === 'string' ? (
        <p class="outcome refused">{reviewed}</p>
      ) : (
        <TicketFacts figures={reviewed} side="SELL" />
      )}
      {isPassed ? <MovedPast again={again} /> : null}
    </>
  );
}
