import { useEffect, useState } from 'preact/hooks';
import { ApiRefusal, api } from '../net/api.js';
import { CHANGES, windowsBefore } from '../state/record.js';
import type { EventRow } from '../state/wire.js';
import { eventText } from './event-text.js';
import { Card, Empty, Moment, Trouble } from './figures.tsx';
import { DataTable } from './table.tsx';
import { useSeen } from './use-store.js';

/** What was changed in the account, by whom where the event tells, newest first: keys, limits, stops, cash, strategies, webhooks. */
export function ChangeRecord() {
  const { rows, isAll, problem, earlier } = useRecord();
  return (
    <Card title="Record of changes" wide>
      <Trouble text={problem} />
      {rows.length === 0 ? (
        <Empty>{isAll ? 'Nothing has been changed yet.' : 'Nothing among the last events.'}</Empty>
      ) : (
        <DataTable<EventRow>
          caption="What was changed, newest first"
          rows={rows}
          keyOf={({ seq }) => seq}
          columns={[
            { name: 'Event', cell: ({ seq }) => seq },
            { name: 'At', cell: ({ at }) => <Moment at={at} /> },
            { name: 'What', cell: ({ type }) => <code>{type}</code> },
            { name: 'Details', cell: (event) => eventText(event) },
            { name: 'By', cell: ({ data }) => data.trading?.by ?? '' },
          ]}
        />
      )}
      <p class="acts">
        {isAll ? null : (
          <button type="button" onClick={earlier}>
            Earlier changes
          </button>
        )}
        <span class="hint">
          The books themselves are proved by <code>stakeport audit</code>, which may run beside the server.
        </span>
      </p>
    </Card>
  );
}

/** Reads the log backwards, some thousand events at a time; what happens meanwhile comes with the stream. */
function useRecord() {
  const head = useSeen(({ known }) => known.head);
  const fresh = useSeen(({ known }) => known.events);
  const [from] = useState(head);
  const [later, setLater] = useState<readonly EventRow[]>([]);
  const [until, setUntil] = useState(head);
  const [state, setState] = useState<{ rows: readonly EventRow[]; next: number; problem: string | null }>({
    ...{ rows: [], next: head, problem: null },
  });
  useEffect(() => {
    let isCurrent = true;
    readBefore(until).then(
      (found) => isCurrent && setState((was) => ({ ...found, rows: [...was.rows, ...found.rows], problem: null })),
      (error) => isCurrent && setState((was) => ({ ...was, problem: String(error.message) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [until]);
  useEffect(() => {
    const last = Number(later[0]?.seq ?? from);
    const news = fresh.filter(({ seq, type }) => Number(seq) > last && CHANGES.has(type));
    if (news.length > 0) setLater([...news, ...later]);
  }, [fresh]);
  return {
    rows: [...later, ...state.rows],
    isAll: state.next === 0,
    problem: state.problem,
    earlier: () => setUntil(state.next),
  };
}

/** The changes of one window of the log up to an event, newest first, and where the window before it ends. */
async function readBefore(until: number): Promise<{ rows: readonly EventRow[]; next: number }> {
  const rows: EventRow[] = [];
  const types = [...CHANGES].join(',');
  let next = windowsBefore(until);
  for (let after: number | null = next; after === null || after < until; ) {
    const place: string = after === null ? '' : `&after=${after}`;
    const page = await api<{ data: readonly EventRow[]; next_after: string }>(
      `/v1/events?limit=100&types=${types}${place}`,
    ).catch((error) => {
      // The oldest events are kept no more: what is left is read from its beginning.
      if (after === null || !(error instanceof ApiRefusal) || error.problem !== 'events-gone') throw error;
      return null;
    });
    if (page === null) {
      next = 0;
      after = null;
      continue;
    }
    rows.push(...page.data.filter(({ seq }) => Number(seq) <= until));
    after = Number(page.next_after);
  }
  return { rows: rows.reverse(), next };
}
