import type { WireDecision, WireSkipCount, WireStrategy } from '../../adapters/http/answers.js';
import { type FoldedDecision, foldedDecisions, repeatText } from '../../core/strategy/record/listed-decisions.js';
import { api, type ListPage, rowsOf } from '../net/api.js';
import { changesBetween } from '../state/changes.js';
import { DecisionRules } from './decision.tsx';
import { Badge, ChosenOdds, Empty, Moment, Money, Trouble } from './figures.tsx';
import { useAsked } from './link.tsx';
import { AskedChoice, AskedText, Filters, Pager, useListPage } from './listed.tsx';
import { DataTable } from './table.tsx';
import { useReading } from './use-store.js';
import { WouldBet } from './would-bet.tsx';

const OFF = 'With automation off it does not look by itself.';
const NONE_COUNTED =
  'Nothing is counted yet. It is counted every ten seconds, and only for outcomes that it follows: those that its sport, phase and window leave out are not. “Evaluate now” says it of each market.';

/** Why a strategy did and did not bet: counted by rule, decision by decision, and as it would decide now. */
export function StrategyWhy({ strategy: { id, automation } }: { readonly strategy: WireStrategy }) {
  const { get, ask } = useAsked();
  const asked = get('code');
  const code = asked === '' ? null : asked;
  const counts = useReading(
    `skips ${id}`,
    (signal) => api<{ data: readonly WireSkipCount[] }>(`/v1/strategies/${id}/decisions/summary`, { signal }),
    10_000,
  );
  const groups = new Map<string, WireSkipCount>();
  for (const one of counts.value?.data ?? [])
    groups.set(one.code, { ...one, count: one.count + (groups.get(one.code)?.count ?? 0) });
  return (
    <>
      <h3>What it would do now</h3>
      <WouldBet path={`/v1/strategies/${id}/evaluate`} label="Evaluate now" />
      <h3>Why it did not bet, last 24 hours</h3>
      <Trouble text={counts.problem} />
      {groups.size === 0 ? <Empty>{automation === 'off' ? OFF : NONE_COUNTED}</Empty> : null}
      <ul class="chips">
        {[...groups.values()]
          .sort((a, b) => b.count - a.count)
          .map(({ code: why, reason, count }) => (
            <li key={why}>
              <button
                type="button"
                aria-pressed={code === why}
                onClick={() => ask({ code: code === why ? '' : why, verdict: '' })}
              >
                {reason} <b>{count}</b>
              </button>
            </li>
          ))}
      </ul>
      <LastDecisions id={id} skipped={code === null ? null : (groups.get(code)?.reason ?? code)} />
    </>
  );
}

/** Decisions, a page at a time; `skipped` says which skips are shown, null where others may be. */
function LastDecisions({ id, skipped }: { readonly id: string; readonly skipped: string | null }) {
  const { get } = useAsked();
  const filters = { verdict: skipped === null ? get('verdict') : 'skip', code: get('code'), market_id: get('market') };
  const decisions = useListPage<ListPage<WireDecision>>(`/v1/strategies/${id}/decisions`, filters, 5000);
  return (
    <>
      <h3>{skipped === null ? 'Last decisions' : `Last skips: ${skipped}`}</h3>
      <Filters>
        {skipped === null ? (
          <AskedChoice
            name="verdict"
            label="Verdict"
            options={[
              ['', 'any'],
              ['bet', 'bets'],
              ['skip', 'skips'],
            ]}
          />
        ) : null}
        <AskedText name="market" label="Market (id or slug)" />
      </Filters>
      {decisions.value?.data.length === 0 ? (
        <Empty>No decision is kept for this. Bets are kept for ever, of skips the last 100.</Empty>
      ) : null}
      <Trouble text={decisions.problem} />
      <Decisions rows={decisions.value?.data ?? []} />
      <Pager next={decisions.value?.next_cursor ?? null} />
    </>
  );
}

/** With what each found; repeats are one row. */
function Decisions({ rows }: { readonly rows: readonly WireDecision[] }) {
  if (rows.length === 0) return null;
  return (
    <DataTable<FoldedDecision<WireDecision>>
      caption="Decisions, newest first"
      rows={foldedDecisions(rows)}
      keyOf={({ decision: { id } }) => id}
      isMarked={({ decision }) => decision.verdict === 'bet'}
      columns={[
        { name: 'At', cell: ({ decision: { at } }) => <Moment at={at} /> },
        {
          name: 'Verdict',
          cell: ({ decision: { verdict } }) => <Badge tone={verdict === 'bet' ? 'good' : ''}>{verdict}</Badge>,
        },
        {
          name: 'Outcome',
          cell: ({ decision: { name, question } }) => <span title={question ?? ''}>{name}</span>,
        },
        { name: 'Why', cell: (row) => <Why row={row} /> },
        { name: 'Odds', num: true, cell: ({ decision: { odds } }) => <ChosenOdds value={odds} /> },
        { name: 'Cost, with fees', num: true, cell: ({ decision }) => <Money value={decision.cost_usdc} /> },
      ]}
    />
  );
}

function Why({ row }: { readonly row: FoldedDecision<WireDecision> }) {
  const { reason, rules } = row.decision;
  const repeats = repeatText(row);
  return (
    <details>
      <summary>
        {reason} {repeats === null ? null : <small>({repeats})</small>}
      </summary>
      <DecisionRules rules={rules} />
    </details>
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
