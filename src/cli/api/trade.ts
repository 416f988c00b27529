import type { Command } from 'commander';
import type { WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { FeeMeter, type FeeSchedule, feeOfDollars, feeReserve } from '../../core/market/fee.js';
import { CENTI_SHARE, type OutcomeSide } from '../../core/market/market.js';
import type { Side } from '../../core/market/side.js';
import {
  formatMicro,
  notional,
  ONE,
  type Price,
  parseMicro,
  plus,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../core/money.js';
import { inOneLine } from '../../core/one-line.js';
import { marketWords } from '../../core/order/order-words.js';
import { EXIT } from '../../server/failures/exit.js';
import { amountOption } from '../command-options.js';
import { outcomeNamed, shownMarket, sideNamed } from './chosen-outcome.js';
import type { ApiAnswer, ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { knownOption, ORDER, STRATEGY } from './known-id.js';
import { momentOption } from './moment-option.js';
import { MARKET_ARGUMENT, withMarket } from './named-market.js';
import {
  type FoundTerms,
  needsMarket,
  oddsOption,
  priceOption,
  type StatedTerms,
  sharesOption,
  slippageOption,
  termsOf,
  wrongTerms,
} from './order-terms.js';
import { printOrder } from './orders.js';
import { moneyShown, outcomeShown } from './output/shown.js';
import type { Detail } from './output/table.js';
import { withOptions } from './page-options.js';
import { aside, remoteCommand, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

interface TradeOptions extends ConfirmedOptions, StatedTerms {
  readonly live?: boolean;
  readonly timeInForce?: string;
  readonly expires?: string;
  readonly postOnly?: boolean;
  readonly strategy?: string;
  readonly venue?: string;
}

/** What a person named, with the terms that were found for it. */
type StatedOrder = Omit<TradeOptions, 'strategy' | 'timeInForce'> &
  FoundTerms & { readonly strategy: string | undefined; readonly timeInForce: string | undefined };

const REFUSED: readonly string[] = ['denied', 'rejected', 'failed'] satisfies WireOrder['status'][];

/** `stakeport buy` and `stakeport sell`. */
export function tradeCommands(terminal: Terminal): readonly Command[] {
  return [
    tradeCommand(terminal, 'BUY', 'buy shares of an outcome, on paper unless --live is said'),
    tradeCommand(terminal, 'SELL', 'sell shares that you hold, on paper unless --live is said'),
  ];
}

function tradeCommand(terminal: Terminal, side: Side, description: string): Command {
  const [name, isBuy] = [side.toLowerCase(), side === 'BUY'];
  const [bound, best] = isBuy ? ['at most', 'the best ask, and at most'] : ['at least', 'the best bid, and at most'];
  const command = remoteCommand(
    name,
    description,
    `stakeport ${name} home-away Home --usdc 14 --price 0.6`,
    isBuy
      ? 'stakeport buy "arsenal chelsea" Arsenal --usdc 14 --odds 1.7'
      : 'stakeport sell home-away Home --all --max-slippage 0.02',
    `stakeport ${name} home-away YES --usdc 14 --price 0.6 --time-in-force FAK --live --yes`,
  )
    .argument(...MARKET_ARGUMENT)
    .argument('<outcome>', 'YES, NO, or the name of the outcome in its market')
    .option('--usdc <amount>', 'money at the limit price: what is spent or received, without the fee', amountOption)
    .option('--shares <count>', `so many shares instead, at the limit`, sharesOption);
  if (!isBuy) command.option('--all', 'all shares that are held and not on sale already, instead');
  command
    .option('--price <price>', `the limit: ${bound} this much a share, above 0 and below 1`, priceOption)
    .option('--odds <odds>', `the limit as decimal odds: ${isBuy ? 'these or longer' : 'these or shorter'}`, oddsOption)
    .option(
      '--max-slippage <price>',
      `instead of a limit: ${best} this much worse; FAK unless --time-in-force says otherwise`,
      slippageOption,
    )
    .option('--expires <moment>', 'rest until then (GTD), such as 2026-12-05T15:00:00Z', momentOption);
  return withOptions(command, [
    ['--live', 'with real money; on paper when absent'],
    [
      '--time-in-force <word>',
      'GTC rests, FOK fills whole or not at all, FAK fills what it can at once; GTC when absent',
    ],
    ['--post-only', 'refuse it where it would match at once'],
    ['--strategy <id>', 'under the caps and the pause of this strategy'],
    ['--venue <name>', 'where the market trades; the default venue of the server when absent'],
    ...CONFIRMED_OPTIONS,
  ]).action((market: string, outcome: string, options: TradeOptions) => {
    const wrong = wrongTerms(side, options);
    return wrong === null ? place(terminal, side, { market, outcome }, options) : command.error(wrong);
  });
}

async function place(
  terminal: Terminal,
  side: Side,
  named: { readonly market: string; readonly outcome: string },
  options: TradeOptions,
): Promise<void> {
  await withServer(options, async (api) => {
    requireConsent(terminal, options, `place this order`);
    const key = runKey(options);
    const strategy = await knownOption(api, STRATEGY, options.strategy);
    const wanted = { ...named, venue: options.venue };
    const token = sideNamed(named);
    const isRead = token === undefined || options.yes !== true || needsMarket(options);
    const placeIn = async (id: string, market: WireMarket | null) => {
      const chosen = token ?? outcomeNamed(market, wanted);
      const terms = await termsOf(api, { side, token: chosen, id, market, venue: options.venue }, options);
      const order = { ...options, ...terms, strategy, timeInForce: timeInForceOf(options) };
      await confirm(terminal, options, { figures: askedOf(side, chosen, market, order), question: 'Place it?' });
      const answer = await sent(api, { body: bodyOf(side, chosen, id, order), key }, order);
      if (answer.isReplayed) aside(`This is what the first request with --key ${key} did.`, options);
      printOrder(options, answer);
      requireAccepted(api, answer.body);
    };
    if (!isRead) return withMarket(api, wanted, (id) => placeIn(id, null));
    const market = await shownMarket(api, wanted);
    return placeIn(market?.id ?? named.market, market);
  });
}

/** What is bought at the best offer is not left to wait at a worse price. */
const timeInForceOf = ({ timeInForce, maxSlippage, expires, postOnly }: TradeOptions): string | undefined =>
  timeInForce?.toUpperCase() ??
  (maxSlippage === undefined || expires !== undefined || postOnly === true ? undefined : 'FAK');

/** Sends it. Where its answer was lost, what was found for it is said: it may be another figure by the time of a repetition. */
async function sent(
  api: ApiClient,
  request: { readonly body: object; readonly key: string },
  { price, usdc, ...order }: StatedOrder,
): Promise<ApiAnswer<WireOrder>> {
  try {
    return await api.request<WireOrder>({ method: 'POST', path: ORDER.path, ...request });
  } catch (error) {
    const isFound = needsMarket(order) || order.shares !== undefined;
    if (!isFound || !(error instanceof ApiFailure) || error.key === null) throw error;
    const tif = order.timeInForce === undefined ? '' : ` --time-in-force ${order.timeInForce}`;
    const terms = `--usdc ${formatMicro(usdc)} --price ${formatMicro(price)}${tif}`;
    const { message, exit, key, problem } = error;
    throw new ApiFailure(`${message} Its terms were: ${terms}`, exit, { key, ...(problem !== null && { problem }) });
  }
}

function askedOf(side: Side, token: OutcomeSide, market: WireMarket | null, options: StatedOrder) {
  const { price, usdc: size, live, timeInForce = 'GTC', postOnly = false } = options;
  const label = market?.outcomes?.find((one) => one.token === token)?.label ?? null;
  const isImmediate = ['FOK', 'FAK'].includes(timeInForce);
  const order = { side, paper: live !== true, price, size, outcome: outcomeShown(token, label), isImmediate, postOnly };
  return figuresOf(order, market);
}

function bodyOf(side: Side, token: OutcomeSide, market_id: string, options: StatedOrder): object {
  const { price, usdc, live, timeInForce, expires, postOnly, strategy, venue } = options;
  const rests = expires === undefined ? undefined : 'GTD';
  return {
    market_id,
    token,
    side,
    price: formatMicro(price),
    size_usdc: formatMicro(usdc),
    paper: live !== true,
    time_in_force: timeInForce ?? rests,
    expires_at: expires,
    post_only: postOnly,
    strategy_id: strategy,
    venue,
  };
}

/** An order that was refused is on record, and no success. @throws ApiFailure */
function requireAccepted(api: ApiClient, { id, status, error }: WireOrder): void {
  const why = inOneLine(error ?? '');
  if (REFUSED.includes(status)) {
    const words = `The order is ${status}: ${why} ${api.server.url.origin}/refusals says what to do.`;
    throw new ApiFailure(words, EXIT.no);
  }
  if (status !== 'unknown') return;
  const words = `It is not known yet whether the venue has the order, and it is never sent again. Look with: stakeport order ${shortId(id)}`;
  throw new ApiFailure(words, EXIT.unfinished);
}

/** An order as a person is about to place it. */
export interface OrderToPlace {
  readonly side: Side;
  readonly paper: boolean;
  readonly price: Price;
  readonly size: Usdc;
  /** What it is called in its market. */
  readonly outcome: string;
  /** FOK and FAK: where the venue takes purchases in dollars, the lower the price, the more shares. */
  readonly isImmediate: boolean;
  readonly postOnly: boolean;
}

const HALF = (ONE / 2n) as Price;

/**
 * What a person is asked about: the stake, the worst price, the fee and what is at risk, none of which the order can exceed.
 * `market` is null where the server does not show it.
 */
function figuresOf(order: OrderToPlace, market: WireMarket | null): readonly Detail[] {
  const { side, paper, outcome, price } = order;
  const fee = market?.terms?.fee ?? null;
  const schedule = fee === null ? null : scheduleOf(fee);
  const money = paper ? moneyShown(true) : `${moneyShown(false)}: real money`;
  return [
    ['order', `${money}, ${side} ${outcome}`],
    ['market', market === null ? null : marketShown(market)],
    ...(side === 'BUY' ? purchase(order, schedule, market) : sale(order, schedule)),
    ['worst price', `${formatMicro(price)} USDC a share`],
  ];
}

function purchase(order: OrderToPlace, schedule: FeeSchedule | null, market: WireMarket | null): Detail[] {
  const { size, outcome } = order;
  const { price, shares } = bounds(order, market);
  const stake: Detail = ['stake', `${formatMicro(size)} USDC for ${formatMicro(shares)} shares or more`];
  if (schedule === null) return [stake, ['fee', 'not known'], ['at risk', `${formatMicro(size)} USDC, and the fee`]];
  const isOfDollars = order.isImmediate && (market?.terms?.quote_step_usdc ?? null) !== null;
  const cost = isOfDollars ? size : notional(shares, price, 'ceil');
  // Below its limit a purchase may pay more in fees, but saves more than that in price.
  const reserve = isOfDollars ? feeOfDollars(schedule, size) : feeReserve(schedule, { ...order, shares });
  const dearest = price > HALF ? HALF : price;
  const most = isOfDollars ? reserve : mostFee(schedule, shares, dearest);
  const risk = formatMicro(plus(cost, reserve));
  return [stake, feeDetail(most), ['at risk', `${risk} USDC: all of it is lost if ${outcome} does not win`]];
}

function sale(order: OrderToPlace, schedule: FeeSchedule | null): Detail[] {
  const { price, shares } = bounds(order, null);
  const brings = formatMicro(notional(shares, price, 'floor'));
  const dearest = price < HALF ? HALF : price;
  return [
    ['sale', `${formatMicro(shares)} shares that you hold, for ${brings} USDC or more`],
    schedule === null ? ['fee', 'not known'] : feeDetail(mostFee(schedule, shares, dearest)),
    ['at risk', `the shares: what they would have paid if ${order.outcome} wins`],
  ];
}

function bounds({ size, price }: OrderToPlace, market: WireMarket | null): { price: Price; shares: Shares } {
  const lot = market === null ? CENTI_SHARE : (parseMicro(market.lot) as Shares);
  return { price, shares: sharesFor(size, price, lot) };
}

const mostFee = (schedule: FeeSchedule, shares: Shares, price: Price): Usdc =>
  feeReserve(schedule, { side: 'BUY', postOnly: false, shares, price }) === 0n
    ? (0n as Usdc)
    : new FeeMeter(schedule).most(shares, price);

const marketShown = ({ event, question, slug, id }: WireMarket): string =>
  marketWords({ event: event?.title ?? null, question, marketSlug: slug, marketId: id }, false);

const feeDetail = (most: Usdc): Detail => ['fee', most === 0n ? 'none' : `at most ${formatMicro(most)} USDC`];

function scheduleOf(fee: NonNullable<NonNullable<WireMarket['terms']>['fee']>): FeeSchedule {
  const { rate, exponent, taker_only: takerOnly, as_of: asOf, maker_rate: makerRate } = fee;
  const rates = { rate: parseMicro(rate), makerRate: parseMicro(makerRate) };
  return { ...rates, exponent, takerOnly, asOf: new Date(asOf) };
}
