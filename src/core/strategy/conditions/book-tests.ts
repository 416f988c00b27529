import { type BookView, mirrored } from '../../market/book.js';
import { costOfShare, type FeeSchedule } from '../../market/fee.js';
import { ONE, type Price } from '../../money.js';
import { compareRatios, microFloor, type Ratio, ratioOf } from '../price/ratio.js';
import type { BetInputs } from './bet-inputs.js';
import type { Candidate } from './candidate.js';
import { type RuleLog, secondsOf } from './rule-log.js';

const STALE = 'market_data_stale';

/** Whether the book can be believed, and is good enough to bet on. */
export function testBook(log: RuleLog, inputs: BetInputs, { seen }: Candidate): void {
  if (seen === null) {
    log.missing('book', null, 'book');
    return;
  }
  const { filter } = inputs.rules;
  const [bid, ask] = [seen.bids[0]?.price ?? null, seen.asks[0]?.price ?? null];
  log.test('book/fresh', seen.fresh, true, seen.fresh, STALE);
  if (filter.maxBookAgeMs !== null) {
    const ageMs = inputs.now.getTime() - seen.at.getTime();
    log.test(
      'filter/max_book_age',
      secondsOf(ageMs),
      secondsOf(filter.maxBookAgeMs),
      ageMs <= filter.maxBookAgeMs,
      STALE,
    );
  }
  if (ask === null) log.missing('book/asks', null, 'asks');
  if (bid !== null && ask !== null && bid >= ask) log.test('book/crossed', bid, ask, false, 'suspicious_book');
  testSpread(log, filter.maxSpread, bid, ask);
  testDrift(log, inputs, ask);
  testOverround(log, inputs);
}

function testSpread(log: RuleLog, most: Price | null, bid: Price | null, ask: Price | null): void {
  if (most === null) return;
  if (bid === null || ask === null) {
    log.missing('filter/max_spread', most, bid === null ? 'bids' : 'asks');
    return;
  }
  log.test('filter/max_spread', ask - bid, most, ask - bid <= most, 'spread_too_wide');
}

function testDrift(log: RuleLog, { rules, firstPrice }: BetInputs, ask: Price | null): void {
  const most = rules.filter.maxDrift;
  if (most === null) return;
  if (firstPrice === null || ask === null) {
    log.missing('filter/max_drift', most, firstPrice === null ? 'first_price' : 'asks');
    return;
  }
  const drift = ask > firstPrice ? ask - firstPrice : firstPrice - ask;
  log.test('filter/max_drift', drift, most, drift <= most, 'price_drifted');
}

/**
 * The best offers of all results of the game sum to this much above 1. Where they sum to less than 1 even with fees, one of the books is
 * more likely wrong than generous, and only a dutch bet is meant for that.
 */
function testOverround(log: RuleLog, inputs: BetInputs): void {
  const { filter, sizing } = inputs.rules;
  const most = filter.maxOverround;
  if (most === null) return;
  const offers = bestOffers(inputs);
  if (offers === null) {
    log.missing('filter/max_overround', most, 'books');
    return;
  }
  const overround = offers.reduce((sum, { price }) => sum + price, 0n) - ONE;
  log.test('filter/max_overround', overround, most, overround <= most, 'overround_too_high');
  const costs = offers.map(({ price, fee }) => costOfShare(fee, price));
  const sum = costs.reduce<Ratio>((all, { cost, whole }) => ({ n: all.n * whole + cost * all.d, d: all.d * whole }), {
    n: 0n,
    d: 1n,
  });
  if (sizing.method !== 'dutch' && compareRatios(sum, ratioOf(ONE)) < 0n)
    log.test('book/sum_of_offers', microFloor(sum), ONE, false, 'suspicious_book');
}

interface Offer {
  readonly price: Price;
  readonly fee: FeeSchedule;
}

/** Of every result of the game; null where one of the books or fees is not known, or out of date. */
function bestOffers({ market, book, others }: BetInputs): readonly Offer[] | null {
  const own = market.terms?.fee ?? null;
  const both = [book?.asks[0]?.price, book?.bids[0] === undefined ? undefined : mirrored(book.bids[0].price)];
  const offers =
    market.exclusiveSet === null
      ? both.map((price) => offerAt(price, own))
      : [
          offerAt(both[0], own),
          ...others.map((one) => offerAt(usable(one.book)?.asks[0]?.price, one.market.terms?.fee ?? null)),
        ];
  const known = offers.filter((offer) => offer !== null);
  return known.length === offers.length && known.length > 1 ? known : null;
}

const usable = (book: BookView | null): BookView | null => (book?.fresh === true ? book : null);

const offerAt = (price: Price | undefined, fee: FeeSchedule | null): Offer | null =>
  price === undefined || fee === null ? null : { price, fee };
