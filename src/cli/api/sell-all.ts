import type { WireBook, WireHolding, WireMarket, WireOrder, WirePortfolio } from '../../adapters/http/answers.js';
import { formatMicro, minus, notional, type Price, parseMicro, type Shares, type Usdc } from '../../core/money.js';
import { inOneLine } from '../../core/one-line.js';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';
import { print } from '../print.js';
import type { ApiClient } from './client/api-client.js';
import { ApiFailure } from './client/api-failure.js';
import { type ConfirmedOptions, confirm, requireConsent, runKey } from './confirmation.js';
import { ORDER } from './known-id.js';
import { mostFeeOfSale } from './order-figures.js';
import { sellableShares } from './order-terms.js';
import { printOrders } from './orders.js';
import { moneyShown } from './output/shown.js';
import { type TableColumn, tableOf } from './output/table.js';
import { segment } from './page-options.js';
import { aside, withServer } from './remote-command.js';
import type { Terminal } from './terminal.js';

/** What `stakeport sell --all` takes without a market. */
export interface SellEverythingOptions extends ConfirmedOptions {
  readonly live?: boolean;
}

/** How many positions are sold by one run, and how many at once. */
const MOST_SOLD = 50;
const AT_ONCE = 8;

/** The sale of a position at once, as far as there are bids. */
interface Plan {
  readonly held: WireHolding;
  readonly shares: Shares;
  /** The lowest bid that it takes: the limit of its order. */
  readonly price: Price;
  readonly usdc: Usdc;
  /** At least, after fees as far as they are known. */
  readonly brings: Usdc;
}

/** A position that is not sold, or an order whose answer is not known. */
interface Unsold {
  readonly held: WireHolding;
  readonly why: string;
  readonly isKnown: boolean;
}

const REVIEW: readonly TableColumn<Plan>[] = [
  { title: 'outcome', of: ({ held }) => held.name, most: 60 },
  { title: 'shares', of: ({ shares }) => formatMicro(shares), right: true },
  { title: 'worst price', of: ({ price }) => formatMicro(price), right: true },
  { title: 'brings at least', of: ({ brings }) => formatMicro(brings), right: true },
];

/** Says what does not go with selling everything; null where nothing is said that does not. */
export function everythingRefused(options: object): string | null {
  const allowed = ['all', 'live', 'yes', 'key', 'json', 'profile'];
  const other = Object.keys(options).find((name) => !allowed.includes(name));
  if (other === undefined) return null;
  const option = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `error: --all without a market sells everything at the bids of now: leave --${option} out, or say the market`;
}

/** Sells all that is held on paper, one order a position, after a review. With real money it only prints the commands that would. */
export function sellEverything(terminal: Terminal, options: SellEverythingOptions): Promise<void> {
  return withServer(options, async (api) => {
    const paper = options.live !== true;
    if (paper) requireConsent(terminal, options, 'sell all that is held on paper');
    const { body } = await api.request<WirePortfolio>({ path: '/v1/portfolio', query: { paper } });
    const held = body.positions.filter(({ shares }) => parseMicro(shares) > 0n);
    const found = await inTurns(held.slice(0, MOST_SOLD), (one) => planned(api, one, paper));
    const plans = found.flatMap((one) => ('price' in one ? [one] : []));
    const unsold = found.flatMap((one) => ('why' in one ? [one] : []));
    const more = held.length - found.length;
    if (more > 0) aside(`${more} more positions are not in it. Run the same again for those.`, options);
    if (!paper) return printCommands(plans, unsold);
    if (plans.length > 0 && options.yes !== true) await review(terminal, options, plans, unsold);
    const key = runKey(options);
    const sold = await inTurns(plans, (plan) => fateOf(api, plan, key));
    report(sold, unsold, options);
  });
}

/** Does something for each, some at a time, and keeps their order. */
async function inTurns<One, Result>(all: readonly One[], work: (one: One) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return results;
}

async function planned(api: ApiClient, held: WireHolding, paper: boolean): Promise<Plan | Unsold> {
  const { market_id, venue, token } = held;
  const path = `/v1/exchange/markets/${segment(market_id)}`;
  const unsold = (why: string): Unsold => ({ held, why, isKnown: true });
  try {
    const { body: market } = await api.request<WireMarket>({ path, query: { venue } });
    const { body: book } = await api.request<WireBook>({ path: `${path}/book`, query: { token, venue } });
    const free = await sellableShares(
      api,
      { market_id, paper },
      { token, held: parseMicro(held.shares) as Shares, market },
    );
    if (free <= 0n) return unsold('all of it is on sale already, or too little to be sold.');
    if (!book.fresh) return unsold('its book is out of date.');
    return toBids({ held, market, book, free }) ?? unsold('nobody bids for it now.');
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.problem === null) throw error;
    return unsold(inOneLine(error.problem.detail ?? error.message));
  }
}

interface Offer {
  readonly held: WireHolding;
  readonly market: WireMarket;
  readonly book: WireBook;
  readonly free: Shares;
}

/** Sells to the bids of a book from the best one down; null without any. */
function toBids({ held, market, book, free }: Offer): Plan | null {
  let left = free;
  let price: Price | null = null;
  for (const bid of book.bids) {
    if (left <= 0n) break;
    price = parseMicro(bid.price) as Price;
    left = minus(left, parseMicro(bid.size) as Shares);
  }
  if (price === null) return null;
  const taken = left > 0n ? minus(free, left) : free;
  const shares = (taken - (taken % (parseMicro(market.lot) as Shares))) as Shares;
  if (shares <= 0n) return null;
  const fee = mostFeeOfSale(market, shares, price) ?? 0n;
  const brings = (notional(shares, price, 'floor') - fee) as Usdc;
  // Up to the next millionth, so that no lot is lost.
  return { held, shares, price, usdc: notional(shares, price, 'ceil'), brings };
}

async function review(
  terminal: Terminal,
  options: SellEverythingOptions,
  plans: readonly Plan[],
  unsold: readonly Unsold[],
): Promise<void> {
  const together = plans.reduce((sum, { brings }) => sum + brings, 0n);
  process.stderr.write(`${tableOf(REVIEW, plans, '')}\n\n`);
  for (const one of unsold) process.stderr.write(`${words(one)}\n`);
  const figures = [
    ['money', moneyShown({ paper: true })],
    ['orders', `${plans.length}, each at once or not at all, never below its worst price`],
    ['brings', `at least ${formatMicro(together)} USDC after fees`],
  ] as const;
  await confirm(terminal, options, { figures, question: 'Sell all of it?' });
}

type Fate = { readonly order: WireOrder; readonly text: string } | Unsold;

/** Each position has a key of its own below the key of the command. */
async function fateOf(api: ApiClient, { held, price, usdc }: Plan, key: string): Promise<Fate> {
  const { market_id, venue, token } = held;
  const terms = { side: 'SELL', price: formatMicro(price), size_usdc: formatMicro(usdc), time_in_force: 'FAK' };
  const body = { market_id, venue, token, ...terms, paper: true };
  try {
    const answer = await api.request<WireOrder>({
      method: 'POST',
      path: ORDER.path,
      body,
      key: `${key}:${market_id}:${token}`,
    });
    return { order: answer.body, text: answer.text };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const why = inOneLine(error.problem?.detail ?? 'the answer was lost.');
    return { held, why, isKnown: error.exit === EXIT.no };
  }
}

function report(fates: readonly Fate[], unsold: readonly Unsold[], options: SellEverythingOptions): void {
  const done = fates.flatMap((fate) => ('order' in fate ? [fate] : []));
  printOrders(done, options, 'Nothing was sold.');
  const rest = done.filter(({ order }) => order.shares !== order.filled_shares);
  const left = [...unsold, ...fates.flatMap((fate) => ('why' in fate ? [fate] : []))];
  const wholly = done.length - rest.length;
  if (rest.length + left.length === 0) return;
  const reasons = [...rest.map(({ order }) => restOf(order)), ...left.map(words)].join(' ');
  throw new CommandFailed(
    `${wholly} of ${done.length + left.length} positions were sold whole. Run the same again: it sells what is left. ${reasons}`,
    left.every(({ isKnown }) => isKnown) ? EXIT.no : EXIT.unfinished,
  );
}

const restOf = ({ name, filled_shares: filled, shares, error }: WireOrder): string =>
  inOneLine(`${name}: ${filled} of ${shares} shares${error === null ? '.' : `, ${error}`}`);

const words = ({ held, why }: Unsold): string => inOneLine(`${held.name}: ${why}`);

/** The commands that sell so with real money: each asks for itself. */
function printCommands(plans: readonly Plan[], unsold: readonly Unsold[]): void {
  const lines = plans.map(({ held: { market_id, token, venue }, usdc, price }) =>
    [
      `stakeport sell ${market_id} ${token} --usdc ${formatMicro(usdc)} --price ${formatMicro(price)}`,
      `--time-in-force FAK --venue ${venue} --live`,
    ].join(' '),
  );
  const none = 'Nothing that is held with real money can be sold now.';
  print(lines.length === 0 ? none : lines.join('\n'));
  const why = unsold.map(words).join(' ');
  if (why !== '') throw new CommandFailed(why, EXIT.no);
}
