import { useMemo } from 'preact/hooks';
import type { WireDecision, WireSkipCount, WireStrategy } from '../../adapters/http/answers.js';
import { type FoldedDecision, foldedDecisions, repeatText } from '../../core/strategy/record/listed-decisions.js';
import { api, type ListPage, rowsOf } from '../net/api.js';
import { changesBetween, type MemberChange } from '../state/changes.js';
import { isWaiting } from '../state/reduce.js';
import { bodyOfStrategy, plainWords } from '../state/strategy-draft.js';
import { onPage } from '../state/words.js';
import { DecisionRules } from './decision.tsx';
import { Sentences, useExplained } from './explained.tsx';
import { Badge, ChosenOdds, Empty, Moment, Money, type Tone, Trouble } from './figures.tsx';
import { useAsked } from './link.tsx';
import { AskedChoice, AskedText, Filters, Pager, useListPage } from './listed.tsx';
import { DataTable } from './table.tsx';
import { useReading, useSelected } from './use-store.js';
import { WouldBet } from './would-bet.tsx';

const OFF = 'It does nothing by itself, so it does not look either.';
const NONE_COUNTED = 'Nothing is counted yet. It is counted twice a minute, of the markets that its rules name.';

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
      {groups.size === 0 ? (
        <Empty>{automation === 'off' ? OFF : NONE_COUNTED}</Empty>
      ) : (
        <p class="hint">How often each was the reason; press one to see where.</p>
      )}
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
                {onPage(reason)} <b>{count}</b>
              </button>
            </li>
          ))}
      </ul>
      <LastDecisions id={id} skipped={code === null ? null : onPage(groups.get(code)?.reason ?? plainWords(code))} />
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
  const approvals = useSelected(({ known }) => known.approvals);
  if (rows.length === 0) return null;
  const holds = ({ verdict, order_id: order, approval_id: approval }: WireDecision) =>
    verdict === 'bet' && (order !== null || isWaiting(approvals.get(approval ?? '') ?? { state: 'refused' }));
  return (
    <DataTable<FoldedDecision<WireDecision>>
      caption="Decisions, newest first"
      rows={foldedDecisions(rows)}
      keyOf={({ decision: { id } }) => id}
      isMarked={({ decision }) => holds(decision)}
      columns={[
        { name: 'At', cell: ({ decision: { at } }) => <Moment at={at} /> },
        {
          name: 'Verdict',
          cell: ({ decision }) => <Verdict decision={decision} />,
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

/** A skip, or a bet with what became of it: it waits, was rejected, or its order has a state. */
function Verdict({ decision }: { readonly decision: WireDecision }) {
  const { verdict, order_id: orderId, approval_id: approvalId } = decision;
  const order = useSelected(({ known }) => known.orders.get(orderId ?? ''));
  const approval = useSelected(({ known }) => known.approvals.get(approvalId ?? ''));
  if (verdict !== 'bet') return <Badge>{verdict}</Badge>;
  if (orderId === null && approvalId !== null) {
    const state = approval?.state ?? 'asked';
    return <Badge tone={state === 'waiting' ? 'warn' : ''}>{state === 'waiting' ? 'waits for you' : state}</Badge>;
  }
  const tone: Tone = order !== undefined && REFUSED.has(order.status) ? 'warn' : 'good';
  return <Badge tone={tone}>{order === undefined ? verdict : `${verdict}, ${order.status.replace(/_/g, ' ')}`}</Badge>;
}

/** Statuses of orders that bought nothing because somebody said no. */
const REFUSED: ReadonlySet<string> = new Set(['denied', 'rejected', 'failed']);

function Why({ row }: { readonly row: FoldedDecision<WireDecision> }) {
  const { reason, rules } = row.decision;
  const repeats = repeatText(row);
  return (
    <details>
      <summary>
        {onPage(reason)} {repeats === null ? null : <small>({repeats})</small>}
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
        <ChangedMember key={change.member} change={change} />
      ))}
    </ul>
  );
}

/** A member that another version has otherwise, in the words of the form. */
export const ChangedMember = ({ change: { label, before, after } }: { readonly change: MemberChange }) => (
  <li>
    <b>{label}</b>: <del>{before ?? 'nothing'}</del> → <ins>{after ?? 'nothing'}</ins>
  </li>
);

/** What the rules of a strategy mean, in the sentences of its form. */
export function StrategyMeaning({ strategy }: { readonly strategy: WireStrategy }) {
  const body = useMemo(() => bodyOfStrategy(strategy), [strategy.id, strategy.version]);
  const { sentences } = useExplained(body);
  if (sentences.length === 0) return null;
  return (
    <>
      <h3>What it does</h3>
      <Sentences of={sentences} />
    </>
  );
}
