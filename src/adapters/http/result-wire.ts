import * as v from 'valibot';
import { formatMicro } from '../../core/money.js';
import type { BetPlots } from '../../core/performance/bet-plots.js';
import { writtenBin } from '../../core/performance/forecasts.js';
import { RESULTS_BY } from '../../core/performance/kept-sums.js';
import { approximateText, NO_MEASURES, type WrittenMeasure, writtenMeasure } from '../../core/performance/measure.js';
import { MEASURES, type MeasureName } from '../../core/performance/measures.js';
import { type ResultRow, YIELD_INTERVALS, type YieldInterval } from '../../core/performance/results.js';
import { betFilters, NO_CLOSE } from './bet-wire.js';
import { decimalOut, means, wholeOut } from './schema.js';

const wordOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** The query of `GET /v1/results/plots`. */
export const plotFilters = {
  paper: v.optional(means(betFilters.paper.wrapped, 'False for bets with real money; on paper when absent.')),
  venue: betFilters.venue,
  strategy_id: betFilters.strategy_id,
  settled_after: betFilters.settled_after,
  settled_before: betFilters.settled_before,
};

/** The query of `GET /v1/results`. */
export const resultFilters = {
  by: v.optional(
    means(
      wordOf(RESULTS_BY),
      'What bets are divided by; `day` is that of `settled_at` in the zone of the server.',
      'strategy',
    ),
  ),
  paper: plotFilters.paper,
  interval: v.optional(
    means(
      wordOf(YIELD_INTERVALS),
      'How the interval of the yield is had; `bootstrap` also has the measures that need every bet.',
      'normal',
    ),
  ),
  venue: betFilters.venue,
  strategy_id: betFilters.strategy_id,
  settled_after: betFilters.settled_after,
  settled_before: betFilters.settled_before,
};

const decimalText = v.pipe(v.string(), v.regex(/^-?\d{1,40}(\.\d{1,30})?$/));

const measureOut = v.object({
  value: means(v.nullable(decimalText), 'A decimal; null where the measure does not exist.', '0.041000000'),
  reason: means(v.nullable(v.picklist(NO_MEASURES)), 'Why it does not exist.'),
  n: means(wholeOut, 'How many settled events (of the yield), bets or days it is of.', 120),
  low: means(v.nullable(decimalText), 'The lower bound of the 95 % interval, of the yield and of rates.'),
  high: means(v.nullable(decimalText), 'The upper bound.'),
});

const countOut = (what: string) => means(wholeOut, what, 12);

/** What the plots of the settled bets of one venue are drawn from. */
export const plotsOut = v.object({
  paper: means(v.boolean(), 'False for bets with real money.'),
  venue: means(v.string(), 'Where they were made.', 'polymarket'),
  bets: means(wholeOut, 'Settled ones.', 120),
  days: means(
    v.array(
      v.object({
        day: means(v.string(), 'The day of `settled_at`, in the zone of the server.', '2026-03-01'),
        bets: countOut('Those with a price of the close.'),
        profit_usdc: means(decimalOut, 'What they earned, in USDC.', '4.2'),
        expected_usdc: means(decimalText, 'What they could expect to earn by the fair price of the close.', '3.10000'),
      }),
    ),
    'By the days on which they settled, oldest first.',
  ),
  luck_usdc: means(
    decimalText,
    'How far results alone move that profit if the close was right: one standard deviation.',
    '12.5000',
  ),
  closing: means(
    v.nullable(
      v.object({
        bets: countOut('Those with a price of the close.'),
        better: countOut('Those with a better price than the close.'),
        same: countOut('Those with the same price.'),
        median_points: means(decimalText, 'Of the bet in the middle, in cents a share.', '0.500000'),
        classes: means(
          v.array(
            v.object({
              end: means(v.number(), 'Cents a share: where the class ends, on the side farther from 0.', 2),
              bets: countOut('Those in the class.'),
            }),
          ),
          'Bets by the close less the average price, in classes of a cent a share: each ends at `end`, on the side farther from 0.',
        ),
      }),
    ),
    'How prices paid compare with the close; null where no bet has one.',
  ),
  no_close: means(
    v.array(
      v.object({
        reason: means(v.picklist(NO_CLOSE), 'Why, in a word.', NO_CLOSE[0]),
        bets: countOut('Those without one for this reason.'),
      }),
    ),
    'Why the others have no price of the close.',
  ),
  calibration: means(
    v.array(
      v.object({
        from: means(decimalText, 'Where the class begins, inclusive.', '0.5'),
        to: means(decimalText, 'Where it ends, exclusive but for 1.', '0.6'),
        n: countOut('Bets in the class.'),
        forecast: means(v.nullable(decimalText), 'The mean of what was stated; null without bets.', '0.553000000'),
        won: means(v.nullable(decimalText), 'Which part of them was won; null without bets.', '0.571428571'),
        low: means(v.nullable(decimalText), 'The lower bound of its 95 % interval, by Wilson.', '0.420000000'),
        high: means(v.nullable(decimalText), 'The upper bound.', '0.710000000'),
      }),
    ),
    'Probabilities that were stated for bets won or lost, and how often these were won, as in `result.json` of a backtest.',
  ),
  slippage_spread: means(measureOut, 'As in `result.json` of a backtest.'),
  slippage_delay: means(measureOut, 'As in `result.json` of a backtest.'),
  slippage_depth: means(measureOut, 'As in `result.json` of a backtest.'),
});

/** What those plots are drawn from, as the API shows it. */
export function plotsWire(plots: BetPlots): v.InferInput<typeof plotsOut> {
  const { paper, venue, bets, days, luck, closing, noClose, calibration, slippage } = plots;
  return {
    paper,
    venue,
    bets,
    days: days.map(({ day, bets: some, profit, expected }) => ({
      day,
      bets: some,
      profit_usdc: formatMicro(profit),
      expected_usdc: approximateText(expected),
    })),
    luck_usdc: approximateText(luck),
    closing:
      closing === null
        ? null
        : {
            bets: closing.bets,
            better: closing.better,
            same: closing.same,
            median_points: approximateText(closing.median),
            classes: closing.classes.map(({ end, count }) => ({ end, bets: count })),
          },
    no_close: [...noClose],
    calibration: calibration.map(writtenBin),
    slippage_spread: writtenMeasure(slippage.slippage_spread),
    slippage_delay: writtenMeasure(slippage.slippage_delay),
    slippage_depth: writtenMeasure(slippage.slippage_depth),
  };
}

const yieldOut = v.object({
  ...measureOut.entries,
  interval: means(v.picklist(YIELD_INTERVALS), 'How that interval is had.'),
});

type MeasuresOut = Record<Exclude<MeasureName, 'yield'>, typeof measureOut> & Record<'yield', typeof yieldOut>;

const measuresOut = v.object(
  Object.fromEntries(
    MEASURES.map(({ name, counts }) => [
      name,
      means(name === 'yield' ? yieldOut : measureOut, `As in \`result.json\` of a backtest; \`n\` counts ${counts}.`),
    ]),
  ) as MeasuresOut,
);

/** What the bets that share one property showed, as the API shows it. */
export const resultOut = v.object({
  by: means(v.picklist(RESULTS_BY), 'What bets are divided by.'),
  key: means(v.nullable(v.string()), 'What they share; null where it is not known, and by day of open bets.', 'epl'),
  paper: means(v.boolean(), 'False for bets with real money.'),
  venue: means(v.string(), 'Where they were made.', 'polymarket'),
  bets: means(wholeOut, 'Settled ones.', 120),
  open: means(wholeOut, 'Open ones: they count in `profit_usdc` alone.', 2),
  measures: means(measuresOut, 'Every measure by its name.'),
});

/** Which bets results are of. */
export const coveredOut = v.object({
  bets: means(wholeOut, 'Of how many bets the rows are, on all pages.', 120),
  all: means(v.boolean(), 'False where only the newest of them were measured.'),
});

type ResultWire = v.InferInput<typeof resultOut>;

/** A row as the API shows it. */
export function resultWire({ measures, ...row }: ResultRow, interval: YieldInterval): ResultWire {
  const { by, key, paper, venue, bets, open } = row;
  const written = Object.fromEntries(MEASURES.map(({ name }) => [name, writtenMeasure(measures[name])])) as Record<
    MeasureName,
    WrittenMeasure
  >;
  return { by, key, paper, venue, bets, open, measures: { ...written, yield: { ...written.yield, interval } } };
}
