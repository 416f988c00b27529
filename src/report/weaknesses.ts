import type { BacktestRun } from '../backtest/backtest-run.js';
import type { BacktestResult } from '../backtest/result.js';
import { hasFills } from '../core/market/event.js';
import { FEWEST_EVENTS, type Verdict } from '../core/performance/measure.js';
import { countsOf } from './figures.js';
import { counted, percent, signedPercent, VERDICT_WORDS } from './words.js';

const FILL_WORDS: Readonly<Record<string, string>> = {
  book_walk: 'took what the book displayed when they arrived',
  queue_traded: 'waited in the book until trades had served those before them',
  queue_crossed: 'waited in the book until the market had moved past their price',
};

/** How often the 95 % interval of a strategy without an edge lies above 0. */
const BY_LUCK = 0.025;

type Result = Pick<BacktestResult, 'run' | 'warnings' | 'results'>;

/** What weakens the findings of a run, a sentence each, the gravest first. */
export function weaknesses(run: BacktestRun, result: Result): readonly string[] {
  return [...ofTheRun(result), ...ofBets(run, result), ...result.warnings.map(({ detail }) => detail)];
}

function ofTheRun({ run }: Result): readonly string[] {
  const { partial, coverage, gaps, strategies, tapes } = run;
  const found: string[] = [];
  if (partial) found.push('The run was ended before its tapes were: what follows is only what it had reached.');
  if (Number(coverage) < 1) {
    const share = percent(Math.floor(Number(coverage) * 1000) / 1000);
    found.push(
      `The books of the markets that rules name are known for ${share} of their time; in the rest nothing could be bet.`,
    );
  }
  if (gaps > 0) {
    const lost = 'nothing is bet in one, and what happened meanwhile is not known';
    found.push(`The books of the markets that rules name have ${counted(gaps, 'gap')}: ${lost}.`);
  }
  const others = tapes.filter(({ evidence }) => evidence !== 'l2');
  if (others.length > 0) {
    const names = others.map(({ name, evidence }) => `${name} (${evidence})`).join(', ');
    found.push(
      `Some tapes prove less than whole books and trades do: ${names}. On them orders that rest get nothing${others.every((tape) => hasFills(tape.evidence)) ? '' : '; where there is no book that an order could meet, no order does'}.`,
    );
  }
  if (strategies.length > 1) {
    const chance = percent(1 - (1 - BY_LUCK) ** strategies.length, 0);
    found.push(
      `${counted(strategies.length, 'strategy', 'strategies')} were tried in this run: if none had an edge, one or more would show evidence with a chance of about ${chance}. Runs before this one on the same tapes add to that.`,
    );
  }
  return found;
}

function ofBets(run: BacktestRun, { results }: Result): readonly string[] {
  const found: string[] = [];
  const all = run.played.find(({ strategy }) => strategy === null);
  const bets = all?.bets ?? run.played.flatMap((one) => one.bets);
  const models = countsOf(bets.flatMap(({ fillModels }) => [...new Set(fillModels.map((model) => kindOf(model)))]));
  for (const [model, count] of models) {
    const words = FILL_WORDS[model] ?? `were filled as ${model.replaceAll('_', ' ')}`;
    found.push(`Fills are assumed: those of ${counted(count, 'bet')} ${words}.`);
  }
  const single = results.filter(({ strategy }) => strategy !== null).length <= 1;
  const few = (single ? results.slice(0, 1) : results).filter(({ measures }) => measures.yield.n < FEWEST_EVENTS);
  if (single && few.length > 0) {
    const events = few[0]?.measures.yield.n ?? 0;
    found.push(`Fewer than ${FEWEST_EVENTS} settled events prove nothing, and there are ${events}.`);
  } else if (few.length > 0) {
    const names = few.map(({ strategy, measures }) => `${strategy ?? 'all together'} ${measures.yield.n}`);
    const shown = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
    found.push(`Fewer than ${FEWEST_EVENTS} settled events prove nothing: ${shown}.`);
  }
  const [{ measures } = { measures: null }] = results;
  const { yield: earned, clv_net: closing } = measures ?? {};
  if (Number(earned?.value) > 0 && Number(closing?.value) < 0)
    found.push(
      `By the close the bets were worth less than they cost: ${signedPercent(Number(closing?.value))} after fees, over ${counted(closing?.n ?? 0, 'bet')}. If the close was right, they had no edge.`,
    );
  const open = bets.filter(({ result }) => result === 'open').length;
  if (open > 0) found.push(`${counted(open, 'bet')} had no result at the end; the verdict does not count them.`);
  return found;
}

const kindOf = (model: string): string => model.split(';')[0] ?? model;

/** The verdict with the figures that it rests on, in one sentence. */
export function verdictSentence({ verdict, measures }: BacktestResult['results'][number]): string {
  const { value, n, low, high } = measures.yield;
  const words = VERDICT_WORDS[verdict];
  if (value === null || low === null || high === null) return `${words}: no bet has settled.`;
  const [from, to] = [signedPercent(Number(low)), signedPercent(Number(high))];
  const figures = `over ${counted(n, 'settled event')} the yield is ${signedPercent(Number(value))} of turnover, and its 95 % interval reaches from ${from} to ${to}`;
  return `${words}: ${figures}${WHY[verdict]}.`;
}

const WHY: Readonly<Record<Verdict, string>> = {
  'not enough bets': '',
  'no evidence': ', so that 0 is in it',
  evidence: ', all of it above 0',
  loss: ', all of it below 0',
};
