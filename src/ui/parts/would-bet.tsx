import { useState } from 'preact/hooks';
import type { WireEvaluation } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import { sumOf } from '../state/amounts.js';
import { onPage } from '../state/words.js';
import { DecisionRules } from './decision.tsx';
import { Badge, ChosenOdds, Empty, Money, Trouble } from './figures.tsx';
import { Link, pathTo } from './link.tsx';
import { RuleLink } from './rule-field.tsx';

/** The most outcomes that are judged at once. */
const MOST = 50;
/** How many of those that are not bet on are shown before more are asked for. */
const FEW_SKIPS = 5;

/** What a strategy would bet and sell on the markets of now, once a person asks: bets first. */
export function WouldBet(props: { readonly path: string; readonly body?: object; readonly label: string }) {
  const { path, body = {}, label } = props;
  const [state, setState] = useState<{ rows: readonly WireEvaluation[] | null; problem: string | null }>({
    rows: null,
    problem: null,
  });
  const look = () =>
    api<{ data: readonly WireEvaluation[] }>(path, { method: 'POST', body: { ...body, limit: MOST } }).then(
      ({ data }) => setState({ rows: data, problem: null }),
      (error) => setState({ rows: null, problem: String(error.message) }),
    );
  return (
    <>
      <p class="acts">
        <button type="button" onClick={() => void look()}>
          {label}
        </button>
        <span class="hint">Changes nothing.</span>
      </p>
      <Trouble text={state.problem} />
      {state.rows === null ? null : <Judged rows={state.rows} />}
    </>
  );
}

function Judged({ rows }: { readonly rows: readonly WireEvaluation[] }) {
  const [isWhole, setWhole] = useState(false);
  const acts = rows.filter(({ verdict }) => verdict === 'bet');
  const bets = acts.filter(({ slot }) => slot !== null);
  const skips = rows.filter(({ verdict }) => verdict !== 'bet');
  const shown = isWhole ? skips : skips.slice(0, FEW_SKIPS);
  if (rows.length === 0) return <Empty>Its rules match no market that is known.</Empty>;
  return (
    <div aria-live="polite">
      <p>
        {bets.length === 0 ? 'No bet' : bets.length === 1 ? '1 bet' : `${bets.length} bets`}
        {bets.length === 0 ? '' : ' for '}
        {bets.length === 0 ? null : <Money value={sumOf(bets.map(({ cost_usdc }) => cost_usdc))} />}
        {bets.length === 0 ? '' : ' USDC'}
        {acts.length === bets.length ? '' : `, ${acts.length - bets.length} to sell`}, of {rows.length}
        {rows.length === MOST
          ? ' outcomes that were judged, the most at once'
          : rows.length === 1
            ? ' outcome'
            : ' outcomes'}
        .
      </p>
      <ul class="plainlist judged">
        {[...acts, ...shown].map((row) => (
          <JudgedRow key={`${row.venue} ${row.market_id} ${row.token} ${row.slot}`} row={row} />
        ))}
      </ul>
      {skips.length > shown.length ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show {skips.length - shown.length} more that it does not bet on
        </button>
      ) : null}
    </div>
  );
}

function JudgedRow({ row }: { readonly row: WireEvaluation }) {
  const { verdict, slot, name, venue, market_id: id, odds, cost_usdc: cost, reason, rules } = row;
  const isBet = verdict === 'bet';
  const decided = isBet ? undefined : rules.find(({ passed }) => passed !== true);
  return (
    <li>
      <Badge tone={isBet ? 'good' : ''}>{isBet ? (slot === null ? 'sell' : 'bet') : 'no bet'}</Badge>{' '}
      <Link to={pathTo('markets', venue, id)}>{name}</Link>
      <p>
        {cost === null ? null : (
          <>
            Stake{' '}
            <b>
              <Money value={cost} />
            </b>
            , fees included,{' '}
          </>
        )}
        {odds === null ? null : (
          <>
            {cost === null ? 'Odds' : 'odds'} <ChosenOdds value={odds} />.{' '}
          </>
        )}
        {onPage(reason)}
        {decided === undefined ? null : <RuleLink rule={decided.rule} />}
      </p>
      <details>
        <summary>Rules</summary>
        <DecisionRules rules={rules} />
      </details>
    </li>
  );
}
