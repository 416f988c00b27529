import { FeeMeter } from '../../market/fee.js';
import { wholeLots } from '../../market/venue-choices.js';
import { least, minus, NO_SHARES, NO_USDC, notional, ONE, plus } from '../../money.js';
import type { BetInputs } from '../conditions/bet-inputs.js';
import type { Candidate } from '../conditions/candidate.js';
import type { RuleLog } from '../conditions/rule-log.js';
import type { Stake } from '../price/price-of-stake.js';
import { microFloor, type Ratio } from '../price/ratio.js';

/** What is bought would be sold at once, at a loss: its exit is met by the book that it is bought from. */
const AT_ONCE = 'exit_met';

/** Whether the bids of the book that a bet buys from meet its own `stop`, or a price to take profit at. Without bids neither is known to. */
export function testExitAtOnce(
  log: RuleLog,
  { rules, market }: Pick<BetInputs, 'rules' | 'market'>,
  { seen }: Pick<Candidate, 'seen'>,
  stake: Pick<Stake, 'shares' | 'cost'>,
): void {
  const { stop, takeProfit } = rules.exit ?? {};
  const best = seen?.bids[0]?.price;
  if (best === undefined || stake.shares === 0n) return;
  if (takeProfit !== undefined && 'price' in takeProfit)
    log.test('exit/take_profit', best, takeProfit.price, best < takeProfit.price, AT_ONCE);
  if (stop === undefined) return;
  if ('price' in stop) log.test('exit/stop', best, stop.price, best > stop.price, AT_ONCE);
  else {
    const gain = gainOf(rules.order.maxSlippage, market, seen?.bids ?? [], stake);
    if (gain === null) return;
    log.test('exit/stop', microFloor(gain), -stop.loss, gain.n * ONE > -stop.loss * gain.d, AT_ONCE);
  }
}

/** What selling all of it now would bring beyond its cost, as a part of that, rounded as an exit is; null where nothing could be sold. */
function gainOf(
  maxSlippage: bigint | null,
  { terms, lot }: BetInputs['market'],
  bids: NonNullable<Candidate['seen']>['bids'],
  { shares: bought, cost }: Pick<Stake, 'shares' | 'cost'>,
): Ratio | null {
  const [best] = bids;
  if (best === undefined || terms === null || terms.fee === null) return null;
  const meter = new FeeMeter(terms.fee);
  let left = wholeLots(bought, lot);
  let [shares, proceeds] = [NO_SHARES, NO_USDC];
  for (const level of bids.filter(({ price }) => maxSlippage === null || best.price - price <= maxSlippage)) {
    const taken = least(left, wholeLots(level.shares, lot));
    if (taken === 0n) continue;
    const money = notional(taken, level.price, 'floor');
    proceeds = plus(proceeds, minus(money, least(meter.charge(taken, level.price), money)));
    [left, shares] = [minus(left, taken), plus(shares, taken)];
  }
  return shares === 0n ? null : { n: proceeds * bought - cost * shares, d: cost * shares };
}
