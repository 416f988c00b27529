import { useState } from 'preact/hooks';
import type { WirePlots, WirePortfolio, WireResult, WireResultPlots } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import {
  CalibrationFigure,
  ClosingFigure,
  NO_SLIPPAGE,
  noCloseText,
  ProfitFigure,
  SlippageFigure,
} from '../../report/bet-figures.js';
import { FEW_BETS, Figure, type YieldRow, YieldTable, yieldDifferenceText } from '../../report/plots.js';
import { StepPlot } from '../../report/step-plot.js';
import { someRows } from '../../report/thinning.js';
import { counted, dayText, decimalsFor, fixed, gainText, keyText, minuteText } from '../../report/words.js';
import { api, rowsOf } from '../net/api.js';
import { BetList } from '../parts/bets.tsx';
import { EquityHistory } from '../parts/equity.tsx';
import { Export } from '../parts/export.tsx';
import { Card, Empty, Fact, Gain, Money, Trouble } from '../parts/figures.tsx';
import { asked, useAsked } from '../parts/link.tsx';
import { PlotCursor } from '../parts/plot.tsx';
import { type Reading, useMoneyNames, useReading, useSelected } from '../parts/use-store.js';
import { shownPortfolio } from './overview.tsx';

const READ_EVERY_MS = 30_000;
const MOST_ROWS = 40;
/** Three years of days. */
const MOST_KEYS = 1100;

/** What yields are shown by. */
const PARTS = [
  ['strategy', 'strategy'],
  ['sport', 'sport'],
  ['league', 'league'],
  ['kind', 'kind of market'],
  ['odds', 'decimal odds'],
  ['phase', 'phase'],
] as const;

/** What was earned, over time and by strategy, and how sure that is. */
export function ResultsPage() {
  const { badge } = useMoneyNames();
  const paper = useSelected((state) => state.paper);
  const held = useSelected(shownPortfolio);
  // Whoever follows a link to a comparison sees it first, and it stays there.
  const [isCompared] = useState(asked('compare') !== null);
  return (
    <div class="cards">
      {isCompared ? <Compared paper={paper} /> : null}
      <section class="card wide">
        <h2>{badge(paper)} equity and drawdown</h2>
        <EquityHistory drawdown />
      </section>
      {held === null ? <Card title="All time">Reading…</Card> : <AllTime row={held.row} />}
      <ByDay paper={paper} />
      <BetList />
      <Plots paper={paper} />
      {isCompared ? null : <Compared paper={paper} />}
      {PARTS.map(([by, words]) => (
        <Yields key={by} by={by} words={words} paper={paper} />
      ))}
      <Card title="Export" wide>
        <Export first="bets" />
      </Card>
    </div>
  );
}

const AllTime = ({ row }: { readonly row: WirePortfolio }) => (
  <Card title="All time">
    <dl>
      <Fact name="Realised, before fees">
        <Gain value={row.realised_usdc} />
      </Fact>
      <Fact name="Unrealised, before fees">
        <Gain value={row.unrealised_usdc} />
      </Fact>
      <Fact name="Fees">
        <Money value={row.fees_usdc} />
      </Fact>
      <Fact name="Profit, after fees">
        <b>
          <Gain value={row.profit_usdc} />
        </b>
      </Fact>
    </dl>
  </Card>
);

function useResults(by: WireResult['by'], paper: boolean): Reading<readonly WireResult[]> {
  const read = () => rowsOf<WireResult>(`/v1/results?by=${by}&paper=${paper}`, MOST_KEYS);
  return useReading(`results ${by} ${paper}`, read, READ_EVERY_MS);
}

function Yields(props: { readonly by: WireResult['by']; readonly words: string; readonly paper: boolean }) {
  const { by, words, paper } = props;
  const { value: rows, problem } = useResults(by, paper);
  const named = useNames();
  const nameOf = by === 'strategy' ? named : keyText;
  return (
    <Card title={`By ${words}`} wide>
      <Trouble text={problem} />
      {rows === null ? (
        <p>Reading…</p>
      ) : rows.length === 0 ? (
        <Empty>No bet of this money is on record yet.</Empty>
      ) : (
        <YieldTable name={words} rows={yieldsOf(rows, nameOf)} />
      )}
      {by === 'strategy' ? (
        <p class="hint">
          Yield is the profit of settled bets over their stakes, with the 95 % interval by the normal approximation;
          open bets are in the profit alone. Rows of fewer than {FEW_BETS} bets are grey, and prove nothing.
        </p>
      ) : null}
    </Card>
  );
}

/** The name of a strategy by its id, and of a version by id and number: `Home favourites v3`. */
function useNames(): (key: string | null) => string {
  const strategies = useSelected(({ known }) => known.strategies);
  return (key) => {
    if (key === null) return 'By hand';
    const [id = '', version] = key.split(' ');
    const name = strategies.get(id)?.name ?? shortId(id);
    return version === undefined ? name : `${name} v${version}`;
  };
}

/** Two strategies, or two versions, side by side: never paper beside real money. */
function Compared({ paper }: { readonly paper: boolean }) {
  const [strategies, versions] = [useResults('strategy', paper), useResults('version', paper)];
  const nameOf = useNames();
  const { get, ask } = useAsked();
  const chosen = get('compare').split(',');
  const found = [...(strategies.value ?? []), ...(versions.value ?? [])].filter(({ key }) => key !== null);
  const isRead = strategies.value !== null && versions.value !== null;
  if (found.length < 2) return isRead && asked('compare') !== null ? <NothingToCompare /> : null;
  const names = found.map(({ key, venue }) => `${key} ${venue}`.replaceAll(' ', '.'));
  const rows = yieldsOf(found, nameOf);
  const choose = (at: number, name: string) => {
    // The address is newer than what was drawn, where a key follows another at once.
    const now = (asked('compare') ?? '').split(',');
    const next = [0, 1].map((place) => (place === at ? name : (now[place] ?? '')));
    ask({ compare: next.some((one) => one !== '') ? next.join() : '', after: get('after') });
  };
  const places = chosen.map((text) => names.findIndex((name) => isNamed(name, text)));
  const strange = isRead ? chosen.filter((text, at) => text !== '' && places[at] === -1) : [];
  const shown = [0, 1].flatMap((place) => rows[places[place] ?? -1] ?? []);
  const [one, other] = shown;
  return (
    <Card title="Side by side" wide>
      <p class="filters">
        {['Compare', 'with'].map((words, at) => (
          <label key={words}>
            {words}{' '}
            <select value={names[places[at] ?? -1] ?? ''} onChange={(event) => choose(at, event.currentTarget.value)}>
              <option value="">choose a strategy or a version</option>
              {rows.map(({ name }, row) => (
                <option key={names[row]} value={names[row]}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        ))}
      </p>
      <Trouble
        text={strange.length === 0 ? null : `There is no bet of ${strange.join(' and ')}. Choose one that has bet.`}
      />
      {shown.length > 0 ? <YieldTable name="strategy or version" rows={shown} /> : null}
      {one !== undefined && other !== undefined ? <p>{yieldDifferenceText(one, other)}</p> : null}
    </Card>
  );
}

const NothingToCompare = () => (
  <Card title="Side by side" wide>
    <Empty>Two strategies, or two versions of one, are compared once both have bet.</Empty>
  </Card>
);

/** Whether an address names it: by the id of its strategy or the last 8 characters of that, with its version and venue or without. */
function isNamed(name: string, text: string): boolean {
  const [[id = '', ...parts], [ending = '', ...rest]] = [name.split('.'), text.toLowerCase().split('.')];
  const isOfId = ending.length >= 8 && id.endsWith(ending);
  return name === text || (isOfId && rest.every((part, at) => part === parts[at]));
}

function yieldsOf(rows: readonly WireResult[], nameOf: (key: string | null) => string): readonly YieldRow[] {
  const isOneVenue = rows.every(({ venue }) => venue === rows[0]?.venue);
  return rows.map(({ key, venue, bets, measures }) => {
    const { value, low, high } = measures.yield;
    return {
      name: isOneVenue ? nameOf(key) : `${nameOf(key)} (${venue})`,
      bets,
      value: numberIn(value),
      interval: low === null ? null : [Number(low), Number(high)],
      profit: numberIn(measures.profit_usdc.value),
    };
  });
}

const numberIn = (text: string | null): number | null => (text === null ? null : Number(text));

/** What bets earned, added up by the days on which they ended. */
function ByDay({ paper }: { readonly paper: boolean }) {
  const found = useResults('day', paper);
  if (found.value === null && found.problem === null) return null;
  const days = (found.value ?? []).flatMap(({ key, bets, measures }) =>
    key === null ? [] : [{ day: key, bets, earned: Number(measures.profit_usdc.value) }],
  );
  return (
    <Card title="Profit of bets that ended" wide>
      <Trouble text={found.problem} />
      <p class="hint">A bet ends with its result, or when all of it was sold early.</p>
      {days.length > 0 ? <ProfitPlot days={days} /> : <Empty>No bet has ended yet.</Empty>}
      {days.length === 1 ? <p class="hint">Bets ended on one day so far, so the plot is a single point.</p> : null}
    </Card>
  );
}

interface EarnedDay {
  readonly day: string;
  readonly bets: number;
  readonly earned: number;
}

function ProfitPlot({ days }: { readonly days: readonly EarnedDay[] }) {
  let [profit, bets] = [0, 0];
  const rows = days.map((one) => {
    profit += one.earned;
    bets += one.bets;
    return { ...one, profit };
  });
  const points = rows.map(({ day, profit: y }) => ({ x: Date.parse(day), y }));
  const gist = `${counted(bets, 'bet')} that ended earned ${gainText(profit)}, by the days on which they did`;
  return (
    <Figure
      gist={gist}
      tableName="Profit by day"
      table={{
        figures: true,
        columns: ['Day', 'Bets', 'Earned, USDC', 'In all, USDC'],
        rows: someRows(rows, MOST_ROWS, ({ profit: sum }) => sum).map(({ day, bets: some, earned, profit: sum }) => [
          day,
          fixed(some, 0),
          fixed(earned, 2),
          fixed(sum, 2),
        ]),
      }}
    >
      <StepPlot
        gist={gist}
        lines={[{ name: 'profit', points }]}
        valueText={(value, step) => fixed(value, decimalsFor(step))}
        axes={['profit, USDC', 'day']}
        reader={PlotCursor}
      />
    </Figure>
  );
}

/** The plots of the report that need every bet: read when the page is opened, and when they are asked for again. */
function Plots({ paper }: { readonly paper: boolean }) {
  const read = async () => ({
    ...(await api<WireResultPlots>(`/v1/results/plots?paper=${paper}`)),
    at: new Date(),
  });
  const { value, problem, again } = useReading(`plots ${paper}`, read);
  if (value === null)
    return (
      <Card title="Beside the close" wide>
        <Trouble text={problem} />
        {problem === null ? <p>Reading every settled bet…</p> : null}
      </Card>
    );
  const { data, covered, at } = value;
  return (
    <>
      {data.map((plots) => (
        <VenuePlots key={plots.venue} plots={plots} named={data.length > 1} />
      ))}
      <Card title="What these plots stand on" wide>
        <Trouble text={problem} />
        <p class="hint">
          {coveredText(covered)}, read at {minuteText(at)} UTC; open bets are in none of them. How often prices of the
          market came true is not on record on a server: a backtest shows it.
        </p>
        <p>
          <button type="button" onClick={again}>
            Read again
          </button>
        </p>
      </Card>
    </>
  );
}

/** `All 12 settled bets`, `The one settled bet`, `No bet is settled yet`. */
function coveredText({ all, bets }: WireResultPlots['covered']): string {
  if (bets === 0) return 'No bet is settled yet';
  if (bets === 1) return all ? 'The one settled bet' : 'The newest settled bet';
  return `${all ? 'All' : 'The newest'} ${counted(bets, 'settled bet')}`;
}

function VenuePlots({ plots, named }: { readonly plots: WirePlots; readonly named: boolean }) {
  const { venue, closing, calibration } = plots;
  const titled = (title: string) => (named ? `${title}: ${venue}` : title);
  const reasons = noCloseText(plots.no_close);
  return (
    <>
      <Card title={titled('Profit beside expected profit')} wide>
        {closing === null ? <p>{reasons}</p> : <ExpectedProfit plots={plots} closed={closing.bets} />}
      </Card>
      <Card title={titled('Calibration')} wide>
        {calibration.some(({ n }) => n > 0) ? (
          <CalibrationFigure bins={calibration.map((bin) => ({ who: 'bets', ...bin }))} shown={['bets']} />
        ) : (
          <p>No probability was stated for a bet that was won or lost.</p>
        )}
      </Card>
      <Card title={titled('Closing line value')} wide>
        {closing === null ? (
          <p>{reasons}</p>
        ) : (
          <ClosingFigure
            {...closing}
            median={Number(closing.median_points)}
            classes={closing.classes.map(({ end, bets }) => ({ end, count: bets }))}
          />
        )}
      </Card>
      <Card title={titled('Slippage')} wide>
        {plots.slippage_spread.n === 0 ? <p>{NO_SLIPPAGE}</p> : <SlippageFigure slippage={plots} />}
      </Card>
    </>
  );
}

function ExpectedProfit({ plots, closed }: { readonly plots: WirePlots; readonly closed: number }) {
  let [earned, foreseen] = [0, 0];
  const points = plots.days.map(({ day, profit_usdc, expected_usdc }) => {
    earned += Number(profit_usdc);
    foreseen += Number(expected_usdc);
    return { x: Date.parse(day), earned, foreseen };
  });
  return (
    <ProfitFigure
      bets={plots.bets}
      closed={closed}
      profit={points.map(({ x, earned: y }) => ({ x, y }))}
      expected={points.map(({ x, foreseen: y }) => ({ x, y }))}
      luck={Number(plots.luck_usdc)}
      timeName="Day"
      timeText={dayText}
      reader={PlotCursor}
    />
  );
}
