import type { BacktestRun, PlayedStrategy } from '../backtest/backtest-run.js';
import type { BacktestResult } from '../backtest/result.js';
import { inDollars } from '../core/performance/bet-plots.js';
import { StrategyFindings } from './findings.js';
import { Forecasts } from './forecasts.js';
import { measureText } from './measure-words.js';
import { pageHtml } from './page.js';
import { WideTable } from './plots.js';
import { verdictSentence, weaknesses } from './weaknesses.js';
import { counted, fixed, minuteText, percent, signedPercent } from './words.js';

const MOST_STRATEGIES = 8;
const MOST_ROWS = 200;

interface ReportOf {
  readonly run: BacktestRun;
  readonly result: BacktestResult;
}

/** The report of a run: one page of HTML. It depends on the run alone. */
export function reportHtml(run: BacktestRun, result: BacktestResult): string {
  const names = result.run.strategies.map(({ name }) => name);
  return pageHtml({
    title:
      names.length === 1 ? `Backtest: ${names[0]}` : `Backtest of ${counted(names.length, 'strategy', 'strategies')}`,
    span: spanText(result),
    children: (
      <>
        {result.results.length === 0 ? <Forecasts result={result} /> : <Weaknesses run={run} result={result} />}
        {names.length > 1 && result.results.length > 0 ? <Strategies result={result} /> : null}
        {shownOf({ run, result }).map((one, at) => (
          <StrategyFindings key={one.title} {...one} verdict={at > 0} />
        ))}
        <Settings run={run} result={result} />
      </>
    ),
  });
}

function spanText({ run }: BacktestResult): string {
  const [from] = run.tapes.map((tape) => tape.from).sort();
  const to = run.tapes
    .map((tape) => tape.to)
    .sort()
    .at(-1);
  if (from === undefined || to === undefined) return 'No tape was played.';
  const markets = run.tapes.reduce((sum, tape) => sum + tape.markets, 0);
  const span = `${minuteText(new Date(from))} to ${minuteText(new Date(to))} UTC`;
  return `${span}, ${counted(run.tapes.length, 'tape')} with ${counted(markets, 'market')}, paper money only.`;
}

/** What is shown in full: the one strategy, or all together and then the first strategies. */
function shownOf({ run, result }: ReportOf): readonly {
  readonly title: string;
  readonly played: PlayedStrategy;
  readonly result: BacktestResult['results'][number];
}[] {
  const all = run.played.flatMap((played, at) => {
    const found = result.results[at];
    return found === undefined ? [] : [{ title: played.strategy ?? 'All together', played, result: found }];
  });
  const single = all.filter(({ played }) => played.strategy !== null);
  // One strategy alone is all: only what is of all has equity where the account was shared.
  if (single.length === 1) return all.slice(0, 1).map((one) => ({ ...one, title: single[0]?.title ?? one.title }));
  return all.slice(0, MOST_STRATEGIES + 1);
}

function Weaknesses(found: ReportOf) {
  const sentences = weaknesses(found.run, found.result);
  const [all] = found.result.results;
  return (
    <section class="weak">
      <h2>What weakens it</h2>
      {sentences.length === 0 ? <p>Nothing that the run itself could see.</p> : null}
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>Nobody in the market saw these bets: real ones of the same size might have moved the price.</li>
      </ul>
      <h2>Verdict</h2>
      <p class="verdict">
        {found.result.run.strategies.length > 1 ? 'All together. ' : ''}
        {all === undefined ? 'Nothing was played.' : verdictSentence(all)}
      </p>
      {found.result.run.strategies.length > 1 ? <p>{verdictsText(found.result)}</p> : null}
    </section>
  );
}

const MOST_NAMED = 5;

/** What each strategy showed by itself: together they may hide that only one has an edge. */
function verdictsText({ results }: BacktestResult): string {
  const single = results.filter(({ strategy }) => strategy !== null);
  const named = single.slice(0, MOST_NAMED).map(({ strategy, verdict }) => `${strategy}: ${verdict}`);
  const rest = single.length > MOST_NAMED ? ', and others below' : '';
  return `Each by itself: ${named.join('; ')}${rest}.`;
}

function Strategies({ result }: Pick<ReportOf, 'result'>) {
  const shown = result.results.slice(0, MOST_ROWS);
  const rest = result.results.length - shown.length;
  return (
    <section>
      <h2>Strategies</h2>
      <WideTable
        name="Strategies"
        table={{
          columns: ['Strategy', 'Verdict', 'Yield', '95 % interval', 'Events', 'Bets', 'Profit'],
          rows: shown.map(({ strategy, verdict, bets, measures }) => [
            strategy ?? 'All together',
            verdict,
            measures.yield.value === null ? '–' : signedPercent(Number(measures.yield.value)),
            measures.yield.low === null
              ? '–'
              : `${signedPercent(Number(measures.yield.low))} to ${signedPercent(Number(measures.yield.high))}`,
            fixed(measures.yield.n, 0),
            fixed(bets, 0),
            measureText('profit_usdc', measures.profit_usdc.value),
          ]),
        }}
      />
      {rest > 0 ? <p>{rest} more are in result.json.</p> : null}
      {result.run.strategies.length > MOST_STRATEGIES ? (
        <p>The first {MOST_STRATEGIES} are shown in full; the measures of all are in result.json.</p>
      ) : null}
    </section>
  );
}

function Settings({ run, result }: ReportOf) {
  const { header } = run;
  const rows: readonly (readonly [string, string])[] = [
    ['Run', header.id],
    ['Version of stakeport', header.version],
    ['Cash at the start', `${fixed(inDollars(header.cash), 2)} USDC${header.together ? '' : ' for each strategy'}`],
    ['Accounts', header.together ? 'one for all strategies' : 'one for each strategy'],
    ['Time to the book', `${header.latencyMs} ms`],
    ['Seed', header.seed],
    ['Time with a book', percent(Number(header.coverage), 2)],
    ['Gaps', fixed(header.gaps, 0)],
    ...Object.entries(header.settings).map(([name, value]): readonly [string, string] => [name, settingText(value)]),
  ];
  const rules = result.run.strategies.slice(0, MOST_STRATEGIES);
  return (
    <section class="settings">
      <h2>Rules and settings</h2>
      <WideTable name="Settings" table={{ columns: ['Setting', 'Value'], rows }} />
      <h3>Tapes</h3>
      <WideTable
        name="Tapes"
        table={{
          columns: ['Tape', 'From (UTC)', 'To (UTC)', 'Markets', 'Kind of data', 'SHA-256'],
          rows: header.tapes.map(({ name, from, to, markets, evidence, sha256 }) => [
            name,
            minuteText(from),
            minuteText(to),
            fixed(markets, 0),
            evidence,
            <code key="hash">{sha256}</code>,
          ]),
        }}
      />
      {rules.map(({ name, rules }) => (
        <>
          <h3>Rules of {name}</h3>
          <pre>{JSON.stringify(rules, null, 2)}</pre>
        </>
      ))}
    </section>
  );
}

const settingText = (value: unknown): string => {
  if (value === null || value === undefined) return 'not given';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};
