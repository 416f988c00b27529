import { useEffect, useState } from 'preact/hooks';
import type { WireLoggedEvent } from '../../adapters/http/answers.js';
import { ApiRefusal, api } from '../net/api.js';
import { CHANGES, type LogPage, windowBefore } from '../state/record.js';
import { Card, Empty, Moment, Trouble } from './figures.tsx';
import { DataTable } from './table.tsx';
import { useSelected } from './use-store.js';

/** What was changed in the account, by whom where the event has it, newest first: keys, limits, stops, cash, strategies, webhooks. */
export function ChangeRecord() {
  const { rows, isAll, problem, earlier } = useRecord();
  return (
    <Card title="Record of changes" wide>
      <Trouble text={problem} />
      {rows.length === 0 ? (
        <Empty>{isAll ? 'Nothing has been changed yet.' : 'Nothing among the last events.'}</Empty>
      ) : (
        <DataTable<WireLoggedEvent>
          caption="What was changed, newest first"
          rows={rows}
          keyOf={({ seq }) => seq}
          columns={[
            { name: 'Event', cell: ({ seq }) => seq },
            { name: 'At', cell: ({ at }) => <Moment at={at} /> },
            { name: 'What', cell: ({ type }) => <code>{type}</code> },
            { name: 'Details', cell: ({ text }) => text },
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
  const head = useSelected(({ known }) => known.head);
  const fresh = useSelected(({ known }) => known.events);
  const [from] = useState(head);
  const [later, setLater] = useState<readonly WireLoggedEvent[]>([]);
  const [until, setUntil] = useState(head);
  const [state, setState] = useState<{ rows: readonly WireLoggedEvent[]; next: number; problem: string | null }>({
    rows: [],
    next: head,
    problem: null,
  });
  useEffect(() => {
    let isCurrent = true;
    windowBefore(until, readAfter).then(
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

/** The changes after an event; null where the log keeps them no more. */
async function readAfter(after: number | null): Promise<LogPage<WireLoggedEvent> | null> {
  const from = after === null ? '' : `&after=${after}`;
  try {
    return await api<LogPage<WireLoggedEvent>>(`/v1/events?limit=100&types=${[...CHANGES].join(',')}${from}`);
  } catch (error) {
    if (after !== null && error instanceof ApiRefusal && error.problem === 'events-gone') return null;
    throw error;
  }
}
