import { InvalidArgumentError } from 'commander';
import type { WireBook, WireList, WireMarket, WireOrder, WirePortfolio } from '../../adapters/http/answers.js';
import { CENTI_SHARE, type OutcomeSide } from '../../core/market/market.js';
import type { Side } from '../../core/market/side.js';
import {
  formatMicro,
  isPrice,
  minus,
  NO_SHARES,
  notional,
  ONE,
  type Price,
  parseMicro,
  plus,
  price as priceIn,
  type Shares,
  type Usdc,
} from '../../core/money.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import type { ApiAnswer, ApiClient } from './client/api-client.js';
import { ORDER, WORKING_STATUSES } from './known-id.js';
import { segment } from './page-options.js';

/** How a person states the price and the size of an order. */
export interface StatedTerms {
  readonly price?: Price;
  readonly odds?: bigint;
  readonly maxSlippage?: bigint;
  readonly usdc?: Usdc;
  readonly shares?: Shares;
  readonly all?: boolean;
  readonly live?: boolean;
}

/** The limit and the size of an order, as the API takes them. */
export interface FoundTerms {
  readonly price: Price;
  readonly usdc: Usdc;
}

/** What an order is for. `market` is null where the server does not show it. */
export interface OrderTarget {
  readonly side: Side;
  readonly token: OutcomeSide;
  /** As the server knows it. */
  readonly id: string;
  readonly market: WireMarket | null;
  readonly venue: string | undefined;
}

/** Says what is missing, or stated twice, of the terms of an order; null where they are complete. */
export function wrongTerms(side: Side, { price, odds, maxSlippage, usdc, shares, all }: StatedTerms): string | null {
  const sizes = [usdc, shares, all === true ? all : undefined].filter((one) => one !== undefined).length;
  const sizeNames = side === 'SELL' ? '--usdc, --shares or --all' : '--usdc or --shares';
  if (sizes !== 1) return `error: say the size ${sizes === 0 ? 'by' : 'once: by'} ${sizeNames}`;
  const prices = [price, odds, maxSlippage].filter((one) => one !== undefined).length;
  if (prices === 1) return null;
  const words = `by --price, --odds, or --max-slippage beyond the best ${side === 'SELL' ? 'bid' : 'offer'}`;
  return `error: say the price ${prices === 0 ? words : `once: ${words}`}`;
}

/** Whether terms depend on the market, its book or what is held, which are read for them. */
export const needsMarket = ({ odds, maxSlippage, all }: StatedTerms): boolean =>
  odds !== undefined || maxSlippage !== undefined || all === true;

/** The limit and the size that a person states. @throws CommandFailed where the book or the account has nothing to take them from */
export async function termsOf(api: ApiClient, target: OrderTarget, options: StatedTerms): Promise<FoundTerms> {
  const price = await limitOf(api, target, options);
  if (options.usdc !== undefined) return { price, usdc: options.usdc };
  const shares = options.shares ?? (await sharesToSell(api, target, options.live !== true));
  // Up to the next millionth, so that no lot is lost.
  return { price, usdc: notional(shares, price, 'ceil') };
}

async function limitOf(
  api: ApiClient,
  target: OrderTarget,
  { price, odds, maxSlippage = 0n }: StatedTerms,
): Promise<Price> {
  if (price !== undefined) return price;
  if (odds !== undefined) return priceOfOdds(odds, target);
  const path = `/v1/exchange/markets/${segment(target.id)}/book`;
  const { body } = await api.request<WireBook>({ path, query: { token: target.token, venue: target.venue } });
  return slippedPrice(body, target, maxSlippage);
}

type Gridded = Pick<OrderTarget, 'side' | 'market'>;

/** The price of a share at decimal odds, on the grid of the market: never a worse one than these odds. */
export function priceOfOdds(odds: bigint, { side, market }: Gridded): Price {
  const [whole, rest] = [(ONE * ONE) / odds, (ONE * ONE) % odds];
  return onGrid(side === 'BUY' || rest === 0n ? whole : whole + 1n, { side, market });
}

/** The best price of a book for an order, and so much worse, on the grid of the market. @throws CommandFailed without such a price */
export function slippedPrice({ fresh, bids, asks }: WireBook, { side, market }: Gridded, slippage: bigint): Price {
  const anew = 'Say --price or --odds. Nothing was done.';
  if (!fresh) throw new CommandFailed(`The book is out of date, so there is no best price now. ${anew}`, EXIT.no);
  const [best] = side === 'BUY' ? asks : bids;
  if (best === undefined)
    throw new CommandFailed(`Nobody ${side === 'BUY' ? 'offers' : 'bids for'} it now. ${anew}`, EXIT.no);
  const at = parseMicro(best.price);
  return onGrid(side === 'BUY' ? at + slippage : at - slippage, { side, market });
}

/** A price that an order may have: the next one that is no worse for who orders, a step from 0 and 1 at most. */
function onGrid(micro: bigint, { side, market }: Gridded): Price {
  const terms = market?.terms ?? null;
  const steps = (terms?.bands ?? []).map(({ from, step }) => ({ from: parseMicro(from), step: parseMicro(step) }));
  const tick = terms === null ? 1n : parseMicro(terms.tick);
  const { from, step } = steps.findLast((band) => band.from <= micro) ?? { from: 0n, step: tick };
  const beyond = (micro - from) % step;
  const down = micro - beyond;
  const next = side === 'BUY' || beyond === 0n ? down : down + step;
  const bounded = next < step ? step : next > ONE - step ? ONE - step : next;
  if (!isPrice(bounded)) throw new CommandFailed('There is no such price. Say --price. Nothing was done.', EXIT.usage);
  return bounded;
}

/** What is held of the outcome and not on sale already. @throws CommandFailed where that is nothing */
async function sharesToSell(api: ApiClient, { id, token, market }: OrderTarget, paper: boolean): Promise<Shares> {
  const { body } = await api.request<WirePortfolio>({ path: '/v1/portfolio', query: { paper } });
  const held = body.positions.filter((one) => one.market_id === (market?.id ?? id) && one.token === token);
  const all = held.reduce((sum, { shares }) => plus(sum, parseMicro(shares) as Shares), NO_SHARES);
  const shares = await sellableShares(api, { market_id: market?.id ?? id, paper }, { token, held: all, market });
  if (shares > 0n) return shares;
  const why = all > 0n ? `all ${formatMicro(all)} shares are on sale already, or too few` : 'there are none';
  throw new CommandFailed(
    `No share of it is free to sell: ${why}. See: stakeport positions. Nothing was done.`,
    EXIT.no,
  );
}

/** What of the shares that are held is not on sale already, in whole lots; 0 or less where nothing is. */
export async function sellableShares(
  api: ApiClient,
  filter: { readonly market_id: string; readonly paper: boolean },
  { token, held, market }: { readonly token: OutcomeSide; readonly held: Shares; readonly market: WireMarket | null },
): Promise<Shares> {
  const free = minus(held, await onSale(api, filter, token));
  const lot = market === null ? CENTI_SHARE : (parseMicro(market.lot) as Shares);
  return (free - (free % lot)) as Shares;
}

async function onSale(
  api: ApiClient,
  filter: { readonly market_id: string; readonly paper: boolean },
  token: OutcomeSide,
): Promise<Shares> {
  let sum = NO_SHARES;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...filter, status: WORKING_STATUSES.join(), limit: '100', cursor };
    const { body }: ApiAnswer<WireList<WireOrder>> = await api.request({ path: ORDER.path, query });
    for (const order of body.data)
      if (order.side === 'SELL' && order.token === token)
        sum = plus(sum, minus(parseMicro(order.shares), parseMicro(order.filled_shares)) as Shares);
    cursor = body.next_cursor;
  }
  return sum;
}

/** A price as given on the command line. @throws InvalidArgumentError in words */
export function priceOption(text: string): Price {
  try {
    return priceIn(text);
  } catch {
    throw new InvalidArgumentError('It takes a price above 0 and below 1 with at most 6 decimals, such as 0.57.');
  }
}

/** Decimal odds as given on the command line. @throws InvalidArgumentError in words */
export function oddsOption(text: string): bigint {
  const odds = microOrNull(text);
  if (odds !== null && odds > ONE && odds < 1_000_000n * ONE) return odds;
  throw new InvalidArgumentError('It takes decimal odds above 1 with at most 6 decimals, such as 1.75.');
}

/** How much worse than the best price an order may be, as given on the command line. @throws InvalidArgumentError in words */
export function slippageOption(text: string): bigint {
  const micro = microOrNull(text);
  if (micro !== null && micro >= 0n && micro < ONE) return micro;
  throw new InvalidArgumentError('It takes a difference of prices from 0 to below 1, such as 0.01.');
}

/** Shares as given on the command line. @throws InvalidArgumentError in words */
export function sharesOption(text: string): Shares {
  const micro = microOrNull(text);
  if (micro !== null && micro > 0n) return micro as Shares;
  throw new InvalidArgumentError('It takes a number of shares above 0 with at most 6 decimals, such as 35.08.');
}

function microOrNull(text: string): bigint | null {
  try {
    return parseMicro(text);
  } catch {
    return null;
  }
}
