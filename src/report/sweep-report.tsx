import type { SweepFigures, TestBet } from '../sweep/figures.js';
import type { RankedVariant, SweepOutcome, WalkForward } from '../sweep/outcome.js';
import { measureText } from './measure-words.js';
import { pageHtml } from './page.js';
import { Figure, WideTable } from './plots.js';
import { StepPlot } from './step-plot.js';
import {
  chanceText,
  OBJECTIVE_WORDS,
  objectiveText,
  sweepWeaknesses,
  trialsText,
  verdictOfSweep,
  walkText,
} from './sweep-words.js';
import { someRows } from './thinning.js';
import { counted, decimalsFor, fixed, minuteText, percent, signedPercent } from './words.js';

const MOST_VARIANTS = 20;
const MOST_WEAKNESSES = 20;
const MOST_ROWS = 40;
const MICRO = 1_000_000;

interface Of {
  readonly outcome: SweepOutcome;
}

/** The report of a sweep: one page of HTML. It depends on the sweep alone. */
export const sweepHtml = (outcome: SweepOutcome): string =>
  pageHtml({
    title: `Sweep of ${counted(outcome.ranked.length, 'variant')}`,
    span: `${outcome.tapes.map(({ name }) => name).join(', ')}; paper money only.`,
    children: (
      <>
        <Verdict outcome={outcome} />
        <Surface outcome={outcome} />
        <Leaders outcome={outcome} />
        {outcome.walkForward === null ? null : <Walk {...outcome.walkForward} />}
        <Trials outcome={outcome} />
        <Best outcome={outcome} />
      </>
    ),
  });

function Verdict({ outcome }: Of) {
  const all = sweepWeaknesses(outcome);
  return (
    <section class="weak">
      <h2>Verdict</h2>
      <p class="verdict">{verdictOfSweep(outcome)}</p>
      <h2>What weakens it</h2>
      <ul>
        {all.slice(0, MOST_WEAKNESSES).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {all.length > MOST_WEAKNESSES ? <li>{all.length - MOST_WEAKNESSES} more are in best.json.</li> : null}
        <li>Nobody in the market saw these bets: real ones of the same size might have moved the price.</li>
      </ul>
    </section>
  );
}

/** The objective over two pointers of the grid that have several values, or one. */
function Surface({ outcome: { plan, ranked } }: Of) {
  const axes = Object.entries(plan.grid).filter(([, values]) => values.length > 1);
  const [down, across] = axes;
  if (down === undefined) return null;
  const best = bestByPlace(ranked, [down[0], across?.[0]]);
  const found = [...best.values()].flatMap(({ objective }) => objective ?? []);
  const most = Math.max(0, ...found.map(Math.abs));
  const name = OBJECTIVE_WORDS[plan.objective];
  const others = axes.slice(2).map(([pointer]) => pointer);
  const over = others.length === 0 ? '' : ` Each cell is the best over ${others.join(' and ')}.`;
  return (
    <section>
      <h2>The whole surface</h2>
      <p>
        The {name} in train windows, by {down[0]}
        {across === undefined ? '' : ` downwards and ${across[0]} across`}.{over} One high cell among low ones is luck
        more often than a hill is.
      </p>
      <WideTable
        name="The objective by values of the grid"
        table={{
          figures: true,
          columns: [down[0], ...(across === undefined ? [name] : across[1].map(cellName))],
          rows: down[1].map((value) => [
            cellName(value),
            ...(across?.[1] ?? [undefined]).map((other) => {
              const own = best.get(placeOf(value, other));
              return (
                <Heat key={cellName(other)} value={own?.objective ?? null} most={most} objective={plan.objective} />
              );
            }),
          ]),
        }}
      />
    </section>
  );
}

const cellName = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
const placeOf = (value: unknown, other: unknown): string => JSON.stringify([value, other ?? null]);

/** The best variant of each place; variants come best first. */
function bestByPlace(
  ranked: readonly RankedVariant[],
  [down, across]: readonly [string, string | undefined],
): ReadonlyMap<string, RankedVariant> {
  const best = new Map<string, RankedVariant>();
  for (const one of ranked) {
    const { values } = one.variant;
    const place = placeOf(values[down], across === undefined ? undefined : values[across]);
    if (!best.has(place)) best.set(place, one);
  }
  return best;
}

const DEEPEST = 60;

function Heat(props: { value: number | null; most: number; objective: SweepOutcome['plan']['objective'] }) {
  const { value, most, objective } = props;
  const part = value === null || most === 0 ? 0 : Math.round((Math.abs(value) / most) * DEEPEST);
  const colour = (value ?? 0) < 0 ? 'var(--down)' : 'var(--accent)';
  return (
    <span class="heat" style={`background:color-mix(in srgb,${colour} ${part}%,transparent)`}>
      {objectiveText(objective, value)}
    </span>
  );
}

function Leaders({ outcome: { ranked, plan } }: Of) {
  const rest = ranked.length - MOST_VARIANTS;
  return (
    <section>
      <h2>Train and test side by side</h2>
      <p>
        Variants are in the order of their {OBJECTIVE_WORDS[plan.objective]} in train windows
        {plan.windows === null ? '' : ', the median where there are several'}. A choice that holds looks alike in the
        tests.
      </p>
      <WideTable
        name="The best variants"
        table={{
          figures: true,
          columns: [
            'Variant',
            'Train',
            'Test',
            'Yield, train',
            'Yield, test',
            'z, train',
            'z, test',
            'Events, train',
            'Events, test',
            'Profit, train',
            'Profit, test',
          ],
          rows: ranked
            .slice(0, MOST_VARIANTS)
            .map(({ variant, figures: { train, test }, objective }) => [
              variant.name,
              objectiveText(plan.objective, objective),
              objectiveText(plan.objective, test?.objective ?? null),
              ...[yieldText, zText, eventsText, profitText].flatMap((of) => [of(train), of(test)]),
            ]),
        }}
      />
      {rest > 0 ? <p>{counted(rest, 'more variant')} and every window: leaderboard.csv.</p> : null}
    </section>
  );
}

const yieldText = (figures: SweepFigures | null): string =>
  figures === null || figures.measures.yield.value === null ? '–' : signedPercent(Number(figures.measures.yield.value));
const zText = (figures: SweepFigures | null): string => (figures?.z == null ? '–' : fixed(figures.z, 2));
const eventsText = (figures: SweepFigures | null): string => (figures === null ? '–' : fixed(figures.events, 0));
const profitText = (figures: SweepFigures | null): string =>
  figures === null ? '–' : measureText('profit_usdc', figures.measures.profit_usdc.value);

function Walk(walk: WalkForward) {
  const points = curveOf(walk.bets);
  const gist = walkText(walk);
  return (
    <section>
      <h2>Walk-forward</h2>
      <WideTable
        name="Windows"
        table={{
          figures: true,
          columns: ['Test', 'Chosen', 'Yield, train', 'Yield, test', 'Events, test', 'Profit, test'],
          rows: walk.steps.map(({ window, name, train, test }) => [
            window,
            name ?? 'none',
            yieldText(train),
            yieldText(test),
            eventsText(test),
            profitText(test),
          ]),
        }}
      />
      {points.length === 0 ? (
        <p>{gist}</p>
      ) : (
        <Figure
          gist={gist}
          tableName="Profit of the tests"
          table={{
            figures: true,
            columns: ['Time (UTC)', 'Profit, USDC'],
            rows: someRows(points, MOST_ROWS, ({ y }) => y).map(({ x, y }) => [minuteText(new Date(x)), fixed(y, 2)]),
          }}
        >
          <StepPlot
            gist={gist}
            lines={[{ name: 'profit', points }]}
            valueText={(value, step) => fixed(value, decimalsFor(step))}
            axes={['profit of the tests, USDC', 'time (UTC)']}
          />
        </Figure>
      )}
    </section>
  );
}

function curveOf(bets: readonly TestBet[]): readonly { readonly x: number; readonly y: number }[] {
  let earned = 0;
  return bets.map(([x, profit]) => {
    earned += profit;
    return { x, y: earned / MICRO };
  });
}

function Trials({ outcome }: Of) {
  const { chance, deflatedSharpe, best } = outcome;
  const { value, days } = deflatedSharpe;
  const deflated =
    value === null
      ? `none, over ${counted(days, 'day')} of train windows`
      : `${percent(value)} likely above what the best of so many would have, over ${counted(days, 'day')}`;
  return (
    <section>
      <h2>Trials</h2>
      <p>{trialsText(outcome)}</p>
      <WideTable
        name="The best variant beside chance"
        table={{
          columns: ['What', 'Figure'],
          rows: [
            ['z of the best variant', best.figures.train.z === null ? '–' : fixed(best.figures.train.z, 2)],
            ['Chance that the best of all trials has it, by Šidák', chance === null ? '–' : chanceText(chance)],
            ['Deflated Sharpe ratio', deflated],
          ],
        }}
      />
    </section>
  );
}

function Best({ outcome: { best, id, version, tapes, plan } }: Of) {
  return (
    <section class="settings">
      <h2>The best variant</h2>
      <pre>{JSON.stringify(best.variant.body, null, 2)}</pre>
      <WideTable
        name="Settings"
        table={{
          columns: ['Setting', 'Value'],
          rows: [
            ['Sweep', <code key="id">{id}</code>],
            ['Version of stakeport', version],
            ['Cash of each account', `${plan.cash} USDC`],
            ['Time to the book', `${plan.latencyMs} ms`],
            ['Limits', plan.limits === null ? 'not given' : JSON.stringify(plan.limits)],
            ...tapes.map(({ name, sha256 }) => [`Tape ${name}`, <code key={name}>{sha256}</code>]),
          ],
        }}
      />
    </section>
  );
}
