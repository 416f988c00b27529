import type { WireLoggedEvent } from '../../adapters/http/answers.js';
import { ALLOWED } from '../../core/order/lifecycle.js';
import { api } from '../net/api.js';
import { CHANGES } from '../state/record.js';
import { eventName, onPage } from '../state/words.js';
import { Card, Empty, Moment, Trouble } from './figures.tsx';
import { useAsked } from './link.tsx';
import { AskedChoice, Filters, PAGE_ROWS, Pager } from './listed.tsx';
import { DataTable } from './table.tsx';
import { useReading, useSelected } from './use-store.js';

/** What the record shows, by the kinds of events that it asks for. */
const SHOWN: Readonly<Record<string, readonly [words: string, types: ReadonlySet<string> | null]>> = {
  '': ['changes of the account', CHANGES],
  orders: ['orders', new Set(['requested', ...Object.keys(ALLOWED)].map((type) => `order.${type}`))],
  all: ['all that happened', null],
};

/** What happened in the account, newest first: what was changed in it, by whom where the event has it, or all events. */
export function ChangeRecord() {
  const { get } = useAsked();
  const { rows, next, problem, isRead } = useRecord(get('record'), get('after'));
  return (
    <Card title="Record of changes" wide>
      <Filters>
        <AskedChoice
          name="record"
          label="Show"
          options={Object.entries(SHOWN).map(([name, [words]]) => [name, words] as const)}
        />
      </Filters>
      <Trouble text={problem} />
      {rows.length > 0 ? (
        <EventTable rows={rows} />
      ) : isRead ? (
        <Empty>
          {next === null
            ? 'Nothing of this is on record.'
            : `Nothing of this among the newest events, down to ${next}: older ones may have some.`}
        </Empty>
      ) : (
        <p>Reading…</p>
      )}
      <Pager next={next} />
      <p class="hint">
        The books themselves are proved by <code>stakeport audit</code>, which may run beside the server.
      </p>
    </Card>
  );
}

const EventTable = ({ rows }: { readonly rows: readonly WireLoggedEvent[] }) => (
  <DataTable<WireLoggedEvent>
    caption="What was changed, newest first"
    rows={rows}
    keyOf={({ seq }) => seq}
    columns={[
      { name: 'Event', cell: ({ seq }) => seq },
      { name: 'At', cell: ({ at }) => <Moment at={at} /> },
      { name: 'What', cell: ({ type }) => <span title={type}>{eventName(type)}</span> },
      { name: 'Details', cell: ({ text }) => onPage(text) },
      { name: 'By', cell: ({ data }) => data.trading?.by ?? '' },
    ]}
  />
);

interface RecordPage {
  readonly data: readonly WireLoggedEvent[];
  readonly next_before: string | null;
  readonly head: string;
}

/** So many pages without any of these kinds are passed over: each looks through some thousand events. */
const MOST_EMPTY = 20;

/** The page that is asked for, or the next one that has something: of rare kinds many are empty. */
async function firstFound(asked: string): Promise<RecordPage> {
  let page = await api<RecordPage>(asked);
  const { head } = page;
  for (let empty = 0; empty < MOST_EMPTY && page.data.length === 0 && page.next_before !== null; empty += 1)
    page = await api<RecordPage>(asked.replace(/before=[^&]*/, `before=${page.next_before}`));
  return { ...page, head };
}

/** A page of the log, newest first; what happens meanwhile comes to the first one with the stream. */
function useRecord(shown: string, after: string) {
  const news = useSelected(({ known }) => known.events);
  const types = (SHOWN[shown] ?? SHOWN['all'])?.[1] ?? null;
  const only = types === null ? '' : `&types=${[...types].join()}`;
  const asked = `/v1/events?limit=${PAGE_ROWS}&before=${after === '' ? 'head' : encodeURIComponent(after)}${only}`;
  const { value, problem } = useReading(asked, () => firstFound(asked));
  const later = (value === null || after !== '' ? [] : news).filter(
    ({ seq, type }) => Number(seq) > Number(value?.head) && (types?.has(type) ?? true),
  );
  return {
    rows: [...later, ...(value?.data ?? [])],
    next: value?.next_before ?? null,
    problem,
    isRead: value !== null,
  };
}
