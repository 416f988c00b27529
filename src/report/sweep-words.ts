import type { RankedVariant, SweepOutcome, SweepVerdict, WalkForward } from '../sweep/outcome.js';
import type { Objective } from '../sweep/plan.js';
import { counted, fixed, percent, signedPercent } from './words.js';

/** What variants are ranked by, in words. */
export const OBJECTIVE_WORDS: Readonly<Record<Objective, string>> = {
  yield_z: 'z of the yield',
  yield: 'yield',
  profit_usdc: 'profit, USDC',
  clv_net: 'closing line value after fees',
};

/** A value of an objective. */
export function objectiveText(objective: Objective, value: number | null): string {
  if (value === null) return '–';
  if (objective === 'yield_z' || objective === 'profit_usdc') return fixed(value, 2);
  return signedPercent(value);
}

const OPENINGS: Readonly<Record<SweepVerdict, string>> = {
  'not enough bets': 'Not enough bets',
  'what chance would give': 'What chance would give',
  'more than chance': 'More than chance',
};

const SMALLEST_CHANCE = 0.0001;

/** A chance as percent, with as many decimals as it needs. */
export const chanceText = (chance: number): string =>
  chance < SMALLEST_CHANCE ? 'below 0.01 %' : percent(chance, chance < 0.1 ? 2 : 0);

/** What a sweep found, in one sentence with what it rests on. */
export function verdictOfSweep({ verdict, best, chance, trials, ranked }: SweepOutcome): string {
  const { z, events } = best.figures.train;
  const which = `the best of ${counted(ranked.length, 'variant')}, “${best.variant.name}”`;
  if (z === null || chance === null)
    return `${OPENINGS[verdict]}: ${which}, has ${counted(events, 'settled event')}, too few to compare it with chance.`;
  const found = `${which}, has z = ${fixed(z, 2)} over ${counted(events, 'settled event')} it was chosen by`;
  const by = `of ${counted(Math.max(1, trials.count), 'trial')} without an edge the best has at least that with a chance of ${chanceText(chance)}`;
  return `${OPENINGS[verdict]}: ${found}, and ${by}.`;
}

/** How many trials there were, and since when they are counted. */
export const trialsText = ({ trials }: Pick<SweepOutcome, 'trials'>): string =>
  `${counted(trials.count, 'trial')} on these tapes since ${trials.since ?? 'today'}, by ${trials.file}: the same rules on the same tape count once. Those before that day, or counted in another file, are not known here.`;

/** What the tests of the chosen variants earned, in one sentence. */
export function walkText({ trainYield, testYield, efficiency }: WalkForward): string {
  if (testYield === null) return 'No variant that a train window chose bet in its test.';
  const earned = `The variant that each train window chose earned a yield of ${signedPercent(testYield)} in the tests`;
  const before = trainYield === null ? '' : `, and ${signedPercent(trainYield)} in the windows it was chosen by`;
  const kept = efficiency === null ? '' : `: an efficiency of ${fixed(efficiency, 2)}`;
  return `${earned}${before}${kept}.`;
}

/** What weakens a sweep, a sentence each, the gravest first. */
export function sweepWeaknesses(outcome: SweepOutcome): readonly string[] {
  const { best, windows, coverage, gaps, tapes, warnings, ranked, plan } = outcome;
  const found: string[] = [];
  if (windows.every(({ test }) => test === null))
    found.push('Nothing was kept for a test: every figure is of the bets that the variant was chosen by.');
  else found.push(...ofTest(best));
  const straddled = best.figures.train.straddled + (best.figures.test?.straddled ?? 0);
  if (straddled > 0)
    found.push(
      `Of the best variant ${counted(straddled, 'bet was', 'bets were')} dropped, made in another window than its event starts in.`,
    );
  if (best.figures.withoutStart > 0)
    found.push(
      `Of the best variant ${counted(best.figures.withoutStart, 'bet is', 'bets are')} in no window: nobody said when the event starts.`,
    );
  if (plan.random !== null)
    found.push(`Of the grid ${counted(ranked.length, 'variant')} were drawn; others may be better.`);
  if (Number(coverage) < 1)
    found.push(
      `The books of the markets that rules name are known for ${percent(Math.floor(Number(coverage) * 1000) / 1000)} of their time, with ${counted(gaps, 'gap')}.`,
    );
  const others = tapes.filter(({ evidence }) => evidence !== 'l2');
  if (others.length > 0)
    found.push(
      `The tapes prove less than whole books and trades do: ${others.map(({ name, evidence }) => `${name} (${evidence})`).join(', ')}.`,
    );
  return [...found, ...warnings.map(({ detail }) => detail)];
}

function ofTest({ figures, variant }: RankedVariant): readonly string[] {
  const { test } = figures;
  if (test === null || test.bets === 0) return [`“${variant.name}” has no settled bet in a test.`];
  const earned = test.measures.yield.value;
  return Number(earned) > 0
    ? []
    : [`In the tests “${variant.name}” earned nothing: a yield of ${signedPercent(Number(earned))}.`];
}
