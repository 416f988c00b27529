import { useState } from 'preact/hooks';
import type { WireBook, WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { formatMicro } from '../../core/money.js';
import { ApiRefusal, api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { dollarText, microOf, plainDecimal } from '../state/amounts.js';
import { hasMovedPast, type TicketFigures, type TicketInput, ticketFigures } from '../state/ticket.js';
import { Act } from './act.tsx';
import { Badge, Fact, Money, Plain } from './figures.tsx';

/** What a ticket is for. */
export interface TicketProps {
  readonly market: WireMarket;
  readonly token: 'YES' | 'NO';
  readonly label: string;
  readonly book: WireBook | null;
}

/** An order as a person read it before agreeing. What is sent is this, whatever the book has done since. */
interface Review extends TicketInput {
  readonly figures: TicketFigures;
  readonly isSent: boolean;
}

/** A paper order, with what it costs at most before it is placed. */
export function Ticket({ market, token, label, book }: TicketProps) {
  const [side, setSide] = useState<'BUY' | 'SELL'>('BUY');
  const [typed, setPrice] = useState<string | null>(null);
  const [sizeUsdc, setSize] = useState('10');
  const price = typed ?? (side === 'BUY' ? book?.asks : book?.bids)?.[0]?.price ?? '';
  const figures = ticketFigures({ side, price, sizeUsdc }, market, book);
  const [review, setReview] = useState<Review | null>(null);
  const reviewNow = () =>
    setReview(typeof figures === 'string' ? null : { side, price, sizeUsdc, figures, isSent: false });
  const isPassed =
    review !== null && !review.isSent && hasMovedPast(review.figures, ticketFigures(review, market, book));
  const send = async (idempotencyKey: string) => {
    setReview(review && { ...review, isSent: true });
    try {
      return await placeOnPaper(market, token, review, idempotencyKey);
    } catch (error) {
      // What was refused is reviewed before it is sent again. Without an answer it may have arrived: the same is sent again.
      if (error instanceof ApiRefusal) setReview(review);
      throw error;
    }
  };
  return (
    <section class="ticket" aria-label="Paper order">
      <h3>
        <Badge tone="paper">PAPER</Badge> order
      </h3>
      <TicketFields
        label={label}
        input={{ side, price, sizeUsdc }}
        setSide={setSide}
        setPrice={setPrice}
        setSize={setSize}
      />
      {typeof figures === 'string' ? (
        <p class="outcome refused">{figures}</p>
      ) : (
        <TicketFacts figures={figures} side={side} />
      )}
      <Act<WireOrder>
        label="Review order"
        confirm={`${side === 'BUY' ? 'Buy' : 'Sell'} on paper`}
        opened={reviewNow}
        ready={review !== null && !isPassed}
        send={send}
        outcome={orderOutcome}
      >
        {review === null ? (
          <p>{typeof figures === 'string' ? figures : ''}</p>
        ) : (
          <Reviewed review={review} label={label} />
        )}
        {isPassed ? <MovedPast again={reviewNow} /> : null}
      </Act>
    </section>
  );
}

interface TicketFieldsProps {
  readonly label: string;
  readonly input: TicketInput;
  readonly setSide: (side: TicketInput['side']) => void;
  readonly setPrice: (price: string) => void;
  readonly setSize: (size: string) => void;
}

function TicketFields({ label, input, setSide, setPrice, setSize }: TicketFieldsProps) {
  return (
    <>
      <label>
        Side{' '}
        <select value={input.side} onChange={(event) => setSide(event.currentTarget.value as TicketInput['side'])}>
          <option value="BUY">Buy {label}</option>
          <option value="SELL">Sell {label}</option>
        </select>
      </label>
      <LimitPrice value={input.price} setPrice={setPrice} />
      <label>
        Size in USDC{' '}
        <input inputMode="decimal" value={input.sizeUsdc} onInput={(event) => setSize(event.currentTarget.value)} />
      </label>
    </>
  );
}

/** The field of a limit price, which may follow a book. Once it has the focus, the book does not change what is being typed. */
export function LimitPrice(props: { readonly value: string; readonly setPrice: (price: string) => void }) {
  const take = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => props.setPrice(currentTarget.value);
  return (
    <label>
      Limit price <input inputMode="decimal" value={props.value} onFocus={take} onInput={take} />
    </label>
  );
}

function placeOnPaper(
  market: TicketProps['market'],
  token: TicketProps['token'],
  review: Review | null,
  idempotencyKey: string,
): Promise<WireOrder> {
  const body = {
    market_id: market.id,
    venue: market.venue,
    token,
    side: review?.side,
    price: review?.price,
    size_usdc: review?.sizeUsdc.trim(),
    paper: true,
  };
  return api<WireOrder>('/v1/exchange/orders', { method: 'POST', idempotencyKey, body });
}

function Reviewed({ review, label }: { readonly review: Review; readonly label: string }) {
  const { side, price, sizeUsdc, figures } = review;
  return (
    <>
      <p>
        PAPER: {side === 'BUY' ? 'buy' : 'sell'} {label} for {sizeUsdc} USDC at {price} or better.
      </p>
      <TicketFacts figures={figures} side={side} />
    </>
  );
}

/** Asks to read an order again, because the book gives less than when it was read. */
export function MovedPast({ again }: { readonly again: () => void }) {
  return (
    <p class="note warn" role="alert">
      The book has moved past this: less of it would fill at once now.{' '}
      <button type="button" onClick={again}>
        Review again
      </button>
    </p>
  );
}

/** The last event of an order that was placed. */
export function orderOutcome({ id }: WireOrder, { known }: UiState): string | null {
  const event = known.events.find(({ data }) => data.order?.id === id);
  const order = known.orders.get(id);
  if (event === undefined || order === undefined) return null;
  return `${event.type}, event ${event.seq}: ${orderText(order)}${order.error === null ? '' : `. ${order.error}`}`;
}

/** The figures of a ticket. */
export function TicketFacts(props: {
  readonly figures: Exclude<ReturnType<typeof ticketFigures>, string>;
  readonly side: 'BUY' | 'SELL';
}) {
  const { shares, filledNow, worstPrice, feeNow, bound } = props.figures;
  return (
    <dl>
      <Fact name="Shares">
        <Plain value={formatMicro(shares)} />
      </Fact>
      <Fact name="Fills at once, by this book">
        <Plain value={formatMicro(filledNow)} />
      </Fact>
      <Fact name="Worst price of those">
        <Plain value={worstPrice === null ? null : formatMicro(worstPrice)} />
      </Fact>
      <Fact name="Fee of those">
        <Plain value={formatMicro(feeNow)} />
      </Fact>
      <Fact name={props.side === 'BUY' ? 'Costs at most, fees included' : 'Brings at least, if it fills'}>
        <b>
          <Money value={bound} />
        </b>
      </Fact>
    </dl>
  );
}

/** An order in a line: what it buys, for how much, and how far it came. */
function orderText(order: WireOrder): string {
  const { side, outcome_label, token, price, size_usdc, status, paper } = order;
  const size = dollarText(microOf(size_usdc));
  return `${paper ? 'PAPER' : 'LIVE'} ${side} ${outcome_label ?? token} ${size} USDC at ${plainDecimal(price)}, ${status}`;
}
