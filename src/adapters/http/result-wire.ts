import * as v from 'valibot';
import { RESULTS_BY } from '../../core/performance/kept-sums.js';
import { NO_MEASURES, type WrittenMeasure, writtenMeasure } from '../../core/performance/measure.js';
import { MEASURES, type MeasureName } from '../../core/performance/measures.js';
import { type ResultRow, YIELD_INTERVALS, type YieldInterval } from '../../core/performance/results.js';
import { betFilters } from './bet-wire.js';
import { means } from './schema.js';

const wordOf = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** The query of `GET /v1/results`. */
export const resultFilters = {
  by: v.optional(
    means(
      wordOf(RESULTS_BY),
      'What bets are divided by; `day` is that of `settled_at` in the zone of the server.',
      'strategy',
    ),
  ),
  paper: v.optional(means(betFilters.paper.wrapped, 'False for bets with real money; on paper when absent.')),
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
  n: means(v.number(), 'How many settled events (of the yield), bets or days it is of.', 120),
  low: means(v.nullable(decimalText), 'The lower bound of the 95 % interval, of the yield and of rates.'),
  high: means(v.nullable(decimalText), 'The upper bound.'),
});

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
  bets: means(v.number(), 'Settled ones.', 120),
  open: means(v.number(), 'Open ones: they count in `profit_usdc` alone.', 2),
  measures: means(measuresOut, 'Every measure by its name.'),
});

/** Which bets results are of. */
export const coveredOut = v.object({
  bets: means(v.number(), 'Of how many bets the rows are, on all pages.', 120),
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
