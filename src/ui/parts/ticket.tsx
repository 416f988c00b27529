import { useState } from 'preact/hooks';
import type { WireBook, WireMarket, WireOrder } from '../../adapters/http/answers.js';
import type { TimeInForce } from '../../core/market/market.js';
import { formatMicro } from '../../core/money.js';
import { ApiRefusal, api } from '../net/api.js';
import { type MoneyNames, moneyNames, type UiState } from '../net/ui-store.js';
import { dollarText, microOf, plainDecimal } from '../state/amounts.js';
import {
  hasMovedPast,
  mostAffordable,
  sizeOfShares,
  type TicketFigures,
  type TicketInput,
  ticketFigures,
} from '../state/ticket.js';
import { eventText, refusalOnPage } from '../state/words.js';
import { Act } from './act.tsx';
import { Badge, ChosenOdds, Empty, Fact, Gain, Money, Plain } from './figures.tsx';
import { useMay, useSelected } from './use-store.js';

/** What a ticket is for. */
export interface TicketProps {
  readonly market: WireMarket;
  readonly token: 'YES' | 'NO';
  readonly label: string;
  readonly book: WireBook | null;
}

/** How long an order waits. */
interface Terms {
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** The end of a GTD order in UTC, as a browser writes it. */
  readonly endsAt: string;
}

/** An order as a person read it before agreeing. What is sent is this, whatever the book has done since. */
interface Review extends Terms, Pick<TicketInput, 'side' | 'price' | 'sizeUsdc'> {
  readonly figures: TicketFigures;
  readonly isSent: boolean;
}

/** How long an order waits, in words. */
const FORCES = [
  ['GTC', 'until it fills or is cancelled'],
  ['GTD', 'until a moment'],
  ['FAK', 'not at all: what the book lacks is dropped'],
  ['FOK', 'not at all: completely at once, or nothing'],
] as const satisfies readonly (readonly [TimeInForce, string])[];

/** An order that is reviewed, and how it is sent. */
function useReview(
  { market, token, book }: TicketProps,
  input: TicketInput & Terms,
  figures: ReturnType<typeof ticketFigures>,
) {
  const [review, setReview] = useState<Review | null>(null);
  const reviewNow = () => setReview(typeof figures === 'string' ? null : { ...input, figures, isSent: false });
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
  return { review, reviewNow, isPassed, send };
}

/** A paper order, with what it costs at most before it is placed; only for a key that may place one. */
export function Ticket(props: TicketProps) {
  const mayOrder = useMay('orders:paper');
  return mayOrder ? (
    <OpenTicket {...props} />
  ) : (
    <Empty>To place a paper order takes a key with the scope orders:paper.</Empty>
  );
}

function OpenTicket(props: TicketProps) {
  const { market, token, label, book } = props;
  const [side, setSide] = useState<'BUY' | 'SELL'>('BUY');
  const [typed, setPrice] = useState<string | null>(null);
  const [sizeUsdc, setSize] = useState('10');
  const [terms, setTerms] = useState<Terms>({ timeInForce: 'GTC', postOnly: false, endsAt: '' });
  const price = typed ?? (side === 'BUY' ? book?.asks : book?.bids)?.[0]?.price ?? '';
  const input = { side, price, sizeUsdc, ...terms };
  const figures = ticketFigures(input, market, book);
  const { review, reviewNow, isPassed, send } = useReview(props, input, figures);
  const sellAll = (shares: string) => {
    const bid = book?.bids[0]?.price ?? price;
    setSide('SELL');
    setPrice(bid);
    setSize(sizeOfShares(shares, bid));
  };
  return (
    <section class="ticket" aria-label="Paper order">
      <h3>
        <Badge tone="paper">PAPER</Badge> order
      </h3>
      <Held market={market} token={token} input={input} sellAll={sellAll} setSize={setSize} />
      <TicketFields label={label} input={input} setSide={setSide} setPrice={setPrice} setSize={setSize} />
      <TermsFields terms={terms} set={setTerms} />
      {typeof figures === 'string' ? (
        <p class="outcome refused">{figures}</p>
      ) : (
        <TicketFacts figures={figures} side={side} />
      )}
      <Act<WireOrder>
        label="Review order"
        scopes={['orders:paper']}
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

interface HeldProps extends Pick<TicketProps, 'market' | 'token'> {
  readonly input: TicketInput;
  readonly sellAll: (shares: string) => void;
  readonly setSize: (size: string) => void;
}

/** What is held of the outcome and what may be spent, with buttons that fill in all of it. */
function Held({ market, token, input, sellAll, setSize }: HeldProps) {
  const row = useSelected(({ portfolios }) => portfolios.paper?.row ?? null);
  if (row === null) return null;
  const held = row.positions.find(
    (one) => one.market_id === market.id && one.venue === market.venue && one.token === token,
  );
  const cash = row.cash_usdc;
  return (
    <p class="acts">
      <span>
        You hold <Plain value={held?.shares ?? '0'} /> shares
        {held === undefined ? '' : ', with those of your strategies'}
        {held === undefined ? '' : ', at '}
        {held === undefined ? null : <Plain value={held.average_price} />}. Cash <Money value={cash} />.
      </span>
      {held === undefined ? null : (
        <button type="button" onClick={() => sellAll(held.shares)}>
          Sell all
        </button>
      )}
      {input.side === 'BUY' && cash !== null ? (
        <button type="button" onClick={() => setSize(mostAffordable(input, market, cash))}>
          Max
        </button>
      ) : null}
    </p>
  );
}

interface TermsFieldsProps {
  readonly terms: Terms;
  readonly set: (terms: Terms) => void;
}

function TermsFields({ terms, set }: TermsFieldsProps) {
  const { timeInForce, postOnly, endsAt } = terms;
  const mayRest = timeInForce === 'GTC' || timeInForce === 'GTD';
  return (
    <>
      <label>
        Waits{' '}
        <select
          value={timeInForce}
          onChange={({ currentTarget }) =>
            set({ ...terms, timeInForce: currentTarget.value as TimeInForce, postOnly: false })
          }
        >
          {FORCES.map(([force, words]) => (
            <option key={force} value={force}>
              {words} ({force})
            </option>
          ))}
        </select>
      </label>
      {timeInForce === 'GTD' ? (
        <label>
          Ends at, in UTC{' '}
          <input
            type="datetime-local"
            value={endsAt}
            onInput={({ currentTarget }) => set({ ...terms, endsAt: currentTarget.value })}
          />
        </label>
      ) : null}
      {mayRest ? (
        <label class="choice">
          <input
            type="checkbox"
            checked={postOnly}
            onChange={({ currentTarget }) => set({ ...terms, postOnly: currentTarget.checked })}
          />{' '}
          Post only: refused where it would match at once
        </label>
      ) : null}
    </>
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
    time_in_force: review?.timeInForce,
    post_only: review?.postOnly,
    ...(review?.timeInForce === 'GTD' ? { expires_at: `${review.endsAt}:00Z` } : {}),
    paper: true,
  };
  return api<WireOrder>('/v1/exchange/orders', { method: 'POST', idempotencyKey, body });
}

function Reviewed({ review, label }: { readonly review: Review; readonly label: string }) {
  const { side, price, sizeUsdc, figures, timeInForce, postOnly } = review;
  return (
    <>
      <p>
        PAPER: {side === 'BUY' ? 'buy' : 'sell'} {label} for {sizeUsdc} USDC at {price} or better, {timeInForce}
        {postOnly ? ', post only' : ''}.
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
export function orderOutcome({ id }: WireOrder, { known, settings }: UiState): string | null {
  const event = known.events.find(({ data }) => data.order?.id === id);
  const order = known.orders.get(id);
  if (event === undefined || order === undefined) return null;
  return `${eventText(event)}: ${orderText(order, moneyNames(settings))}${order.error === null ? '' : `. ${refusalOnPage(order.error)}`}`;
}

/** The figures of a ticket. */
export function TicketFacts(props: {
  readonly figures: Exclude<ReturnType<typeof ticketFigures>, string>;
  readonly side: 'BUY' | 'SELL';
}) {
  const { shares, filledNow, worstPrice, feeNow, bound, odds, rest } = props.figures;
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
      {odds === null ? null : (
        <>
          <Fact name="Odds, after fees">
            <ChosenOdds value={formatMicro(odds)} />
          </Fact>
          <Fact name="Payout, if it wins">
            <Money value={shares} />
          </Fact>
          <Fact name="Profit, if it wins">
            <Gain value={shares - bound} />
          </Fact>
        </>
      )}
      <Fact name="What does not fill at once">{rest}</Fact>
    </dl>
  );
}

/** An order in a line: what it buys, for how much, and how far it came. */
function orderText(order: WireOrder, { badge }: MoneyNames): string {
  const { side, name, price, size_usdc, status, paper } = order;
  const size = dollarText(microOf(size_usdc));
  return `${badge(paper)} ${side} ${name} ${size} USDC at ${plainDecimal(price)}, ${status.replace('_', ' ')}`;
}
