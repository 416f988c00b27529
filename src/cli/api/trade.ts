import type { Command } from 'commander';
import type { WireMarket, WireOrder } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import type { OutcomeSide } from '../../core/market/market.js';
import type { Side } from '../../core/market/side.js';
import { formatMicro } from '../../core/money.js';
import { inOneLine } from '../../core/one-line.js';
import { EXIT } from '../../server/failures/exit.js';
import { amountOption } from '../command-options.js';
import { outcomeNamed, shownMarket, sideNamed } from './chosen-outcome.js';
import type { ApiAnswer, ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { CONFIRMED_OPTIONS, type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { knownOption, ORDER, STRATEGY } from './known-id.js';
import { momentOption } from './moment-option.js';
import { MARKET_ARGUMENT, withMarket } from './named-market.js';
import { orderFigures } from './order-figures.js';
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
import { outcomeShown } from './output/shown.js';
import { withOptions } from './page-options.js';
import { aside, remoteCommand, withServer } from './remote-command.js';
import { everythingRefused, sellEverything } from './sell-all.js';
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
    ...(isBuy ? [] : ['stakeport sell --all']),
    `stakeport ${name} home-away YES --usdc 14 --price 0.6 --time-in-force FAK --live --yes`,
  );
  const [market, means] = MARKET_ARGUMENT;
  command
    // Neither is named where everything is sold.
    .argument(isBuy ? market : '[market]', means)
    .argument(isBuy ? '<outcome>' : '[outcome]', 'YES, NO, or the name of the outcome in its market')
    .option('--usdc <amount>', 'money at the limit price: what is spent or received, without the fee', amountOption)
    .option('--shares <count>', `so many shares instead, at the limit`, sharesOption);
  if (!isBuy)
    command.option(
      '--all',
      'all shares that are held and not on sale already, instead; without a market, of everything',
    );
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
    ['--strategy <strategy>', 'under the caps and the pause of this strategy: its name or its id'],
    ['--venue <name>', 'where the market trades; the default venue of the server when absent'],
    ...CONFIRMED_OPTIONS,
  ]).action((market: string | undefined, outcome: string | undefined, options: TradeOptions) => {
    if (market === undefined && options.all === true) {
      const refused = everythingRefused(options);
      return refused === null ? sellEverything(terminal, options) : command.error(refused);
    }
    if (market === undefined || outcome === undefined)
      return command.error('error: say the market and the outcome, or --all alone to sell everything');
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
  return orderFigures(order, market);
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
