import { useState } from 'preact/hooks';
import type { WireDecision, WireEvaluation, WireSkipCount, WireStrategy } from '../../adapters/http/answers.js';
import { api, rowsOf } from '../net/api.js';
import { changesBetween } from '../state/changes.js';
import { DecisionRules, whyNot } from './decision.tsx';
import { Badge, Empty, Moment, Money, Plain, Trouble } from './figures.tsx';
import { DataTable } from './table.tsx';
import { useReading } from './use-store.js';

/** Why a strategy did and did not bet: counted by rule, decision by decision, and as it would decide now. */
export function StrategyWhy({ strategy: { id } }: { readonly strategy: WireStrategy }) {
  const [code, setCode] = useState<string | null>(null);
  const counts = useReading(
    `skips ${id}`,
    (signal) => api<{ data: readonly WireSkipCount[] }>(`/v1/strategies/${id}/decisions/summary`, { signal }),
    10_000,
  );
  const filter = code === null ? '' : `&verdict=skip&code=${code}`;
  const decisions = useReading(
    `decisions ${id} ${code}`,
    (signal) => api<{ data: readonly WireDecision[] }>(`/v1/strategies/${id}/decisions?limit=50${filter}`, { signal }),
    5000,
  );
  const groups = new Map<string, number>();
  for (const { code: why, count } of counts.value?.data ?? []) groups.set(why, (groups.get(why) ?? 0) + count);
  return (
    <>
      <h3>Why it did not bet, last 24 hours</h3>
      <Trouble text={counts.problem ?? decisions.problem} />
      {groups.size === 0 ? (
        <Empty>No skips are counted yet. With automation off it does not look by itself.</Empty>
      ) : null}
      <ul class="chips">
        {[...groups]
          .sort(([, a], [, b]) => b - a)
          .map(([why, count]) => (
            <li key={why}>
              <button type="button" aria-pressed={code === why} onClick={() => setCode(code === why ? null : why)}>
                {why.replace(/_/g, ' ')} <b>{count}</b>
              </button>
            </li>
          ))}
      </ul>
      <h3>{code === null ? 'Last decisions' : `Last skips: ${code.replace(/_/g, ' ')}`}</h3>
      {decisions.value?.data.length === 0 ? <Empty>No decision is kept for this.</Empty> : null}
      <Decisions rows={decisions.value?.data ?? []} />
      <EvaluateNow id={id} />
    </>
  );
}

/** Decisions, with what each found. */
export function Decisions({ rows }: { readonly rows: readonly (WireEvaluation & { readonly id?: string })[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable<WireEvaluation & { readonly id?: string }>
      caption="Decisions, newest first"
      rows={rows}
      keyOf={(row) => row.id ?? `${row.venue} ${row.market_id} ${row.token} ${row.slot}`}
      columns={[
        { name: 'At', cell: ({ at }) => <Moment at={at} /> },
        { name: 'Verdict', cell: ({ verdict }) => <Badge tone={verdict === 'bet' ? 'good' : ''}>{verdict}</Badge> },
        {
          name: 'Outcome',
          cell: (row) => (
            <>
              {row.outcome_label ?? row.token}{' '}
              <small title={row.market_id}>{row.inputs['question'] ?? shortId(row.market_id)}</small>
            </>
          ),
        },
        { name: 'Why', cell: (row) => <Why row={row} /> },
        { name: 'Odds', num: true, cell: ({ odds }) => <Plain value={odds} /> },
        { name: 'Cost', num: true, cell: ({ cost_usdc }) => <Money value={cost_usdc} /> },
      ]}
    />
  );
}

/** Ids of some venues are 66 characters long. */
const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 10)}…` : id);

const Why = ({ row }: { readonly row: WireEvaluation }) => (
  <details>
    <summary>{whyNot(row)}</summary>
    <DecisionRules rules={row.rules} />
  </details>
);

function EvaluateNow({ id }: { readonly id: string }) {
  const [state, setState] = useState<{ rows: readonly WireEvaluation[] | null; problem: string | null }>({
    rows: null,
    problem: null,
  });
  const look = () =>
    api<{ data: readonly WireEvaluation[] }>(`/v1/strategies/${id}/evaluate`, {
      method: 'POST',
      body: { limit: 50 },
    }).then(
      ({ data }) => setState({ rows: data, problem: null }),
      (error) => setState({ rows: null, problem: String(error.message) }),
    );
  return (
    <>
      <h3>What it would do now</h3>
      <p>
        <button type="button" onClick={() => void look()}>
          Evaluate now
        </button>{' '}
        <span class="hint">Changes nothing.</span>
      </p>
      <Trouble text={state.problem} />
      {state.rows?.length === 0 ? (
        <Empty>Its rules match no market that is known.</Empty>
      ) : (
        <Decisions rows={state.rows ?? []} />
      )}
    </>
  );
}

/** Every version, newest first, each with what it changed. */
export function StrategyVersions({ strategy: { id, version } }: { readonly strategy: WireStrategy }) {
  const versions = useReading(`versions ${id} ${version}`, () =>
    rowsOf<WireStrategy>(`/v1/strategies/${id}/versions`, 100),
  );
  const rows = versions.value ?? [];
  return (
    <>
      <h3>Versions</h3>
      <Trouble text={versions.problem} />
      <ol class="log" reversed>
        {rows.map((row, at) => (
          <li key={row.version}>
            <b>{row.version}</b> <Moment at={row.updated_at} /> <Changes before={rows[at + 1]} after={row} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Changes({ before, after }: { readonly before: WireStrategy | undefined; readonly after: WireStrategy }) {
  if (before === undefined) return <span>{after.version === 1 ? 'created' : ''}</span>;
  return (
    <ul>
      {changesBetween(before, after).map((change) => (
        <li key={change.member}>
          <code>{change.member}</code>: <del>{change.before ?? 'nothing'}</del> → <ins>{change.after ?? 'nothing'}</ins>
        </li>
      ))}
    </ul>
  );
}
