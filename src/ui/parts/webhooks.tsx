import { useEffect, useState } from 'preact/hooks';
import type { WireDelivery, WirePing, WireWebhookStatus } from '../../adapters/http/answers.js';
import { api, rowsOf } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { webhookPlace } from '../state/webhook-place.js';
import { eventName, eventText } from '../state/words.js';
import { Act } from './act.tsx';
import { Badge, Card, Empty, Moment, Trouble } from './figures.tsx';
import { DataTable } from './table.tsx';
import { useReading, useSelected } from './use-store.js';

const LIST = '/v1/webhooks';

/** Where events are sent, how that goes, and what may be done about it. */
export function WebhooksCard() {
  const hooks = useReading(
    'webhooks',
    (signal) => api<{ data: readonly WireWebhookStatus[] }>(LIST, { signal }),
    10_000,
  );
  // What happens to a webhook is an event; how its receiver does is not.
  const changed = useSelected(({ known }) => known.events.find(({ type }) => type.startsWith('webhook.'))?.seq);
  useEffect(() => hooks.again(), [changed]);
  const [shown, setShown] = useState<string | null>(null);
  const rows = hooks.value?.data ?? null;
  const open = rows?.find(({ id }) => id === shown);
  return (
    <Card title="Webhooks" wide>
      <Trouble text={hooks.problem} />
      {rows === null ? null : rows.length === 0 ? (
        <Empty>
          No webhook is set up. On a terminal <code>stakeport webhooks add ADDRESS</code> makes one.
        </Empty>
      ) : (
        <DataTable<WireWebhookStatus>
          caption="Webhooks"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Sends to', cell: (row) => <code>{webhookPlace(row)}</code> },
            { name: 'State', cell: (row) => <HookState row={row} /> },
            { name: 'Delivered', cell: ({ delivered_at }) => <Moment at={delivered_at} /> },
            { name: 'Failing since', cell: ({ failing_since }) => <Moment at={failing_since} /> },
            { name: 'By', cell: ({ by }) => by ?? '–' },
            { name: 'Events', cell: ({ types }) => (types.length === 0 ? 'all' : types.map(eventName).join(', ')) },
            { name: 'Acts', cell: (row) => <HookActs row={row} /> },
            {
              name: 'Not taken',
              cell: ({ id }) => (
                <button type="button" aria-expanded={shown === id} onClick={() => setShown(shown === id ? null : id)}>
                  {shown === id ? 'Hide' : 'Show'}
                </button>
              ),
            },
          ]}
        />
      )}
      {open === undefined ? null : <NotTaken key={open.id} row={open} />}
    </Card>
  );
}

function HookState({ row }: { readonly row: WireWebhookStatus }) {
  const isHealthy = row.state === 'active' && row.failing_since === null;
  const tone = isHealthy ? 'good' : row.state === 'disabled' ? 'bad' : 'warn';
  return (
    <>
      <Badge tone={tone}>{row.state}</Badge> {row.disabled_because}
    </>
  );
}

function HookActs({ row }: { readonly row: WireWebhookStatus }) {
  const { id, state } = row;
  const post = (what: string, body?: object) => () => api<object>(`${LIST}/${id}/${what}`, { method: 'POST', body });
  const [after, setAfter] = useState('');
  const where = (
    <p>
      To <code>{webhookPlace(row)}</code>.
    </p>
  );
  return (
    <span class="acts">
      <Act<WirePing>
        label="Ping"
        scopes={['webhooks:write']}
        confirm="Send a test message"
        send={() => ping(id)}
        outcome={pingOutcome}
      >
        {where}
      </Act>
      <Act
        label="Disable"
        scopes={['webhooks:write']}
        confirm="Send nothing to it"
        isOffered={state === 'active'}
        send={post('disable')}
        outcome={outcomeOf(id, 'webhook.disabled')}
      >
        {where}
        <p>It is sent nothing until it is enabled, and then what happened meanwhile.</p>
      </Act>
      <Act
        label="Enable"
        scopes={['webhooks:write']}
        confirm="Send to it again"
        isOffered={state === 'disabled'}
        send={post('enable')}
        outcome={outcomeOf(id, 'webhook.enabled', 'webhook.changed')}
      >
        {where}
        <p>It goes on where it stopped. Where its key was revoked, it has to take a ping first.</p>
      </Act>
      <Act
        label="Replay"
        scopes={['webhooks:write']}
        confirm="Send them once more"
        ready={/^\d{1,15}$/.test(after.trim())}
        send={() => post('replay', { after: after.trim() })()}
        outcome={() => `What follows event ${after} is sent.`}
      >
        {where}
        <label>
          Everything it wants after event number
          <input inputMode="numeric" value={after} onInput={(event) => setAfter(event.currentTarget.value)} />
        </label>
      </Act>
    </span>
  );
}

const ping = (id: string): Promise<WirePing> => api<WirePing>(`${LIST}/${id}/ping`, { method: 'POST' });

/** A ping is no event: nothing happened to the account. */
function pingOutcome({ taken, status, said }: WirePing): string {
  if (taken) return 'Its receiver took the test message.';
  return `Its receiver did not take it: ${status === null ? '' : `status ${status}, `}${said || 'no words'}.`;
}

const outcomeOf =
  (id: string, ...types: readonly string[]) =>
  (_: unknown, { known }: UiState, since: number): string | null => {
    const event = known.events.find(
      (one) => types.includes(one.type) && one.data.webhook?.id === id && Number(one.seq) > since,
    );
    return event === undefined ? null : `${eventText(event)}.`;
  };

/** The events that its receiver did not take. */
function NotTaken({ row }: { readonly row: WireWebhookStatus }) {
  const read = () => rowsOf<WireDelivery>(`${LIST}/${row.id}/deliveries`, 100);
  const { value, problem } = useReading(`deliveries ${row.id}`, read, 10_000);
  return (
    <>
      <h3>
        What <code>{webhookPlace(row)}</code> did not take
      </h3>
      <Trouble text={problem} />
      {value === null ? null : value.length === 0 ? (
        <Empty>
          Nothing waits for another try, and nothing was given up. The last event that passed is {row.passed}.
        </Empty>
      ) : (
        <DataTable<WireDelivery>
          caption="Events that it did not take, newest first"
          rows={value}
          keyOf={({ seq }) => seq}
          columns={[
            { name: 'Event', cell: ({ seq, type }) => `${seq} ${eventName(type)}` },
            { name: 'State', cell: ({ state }) => (state === 'waiting' ? 'waits' : 'given up') },
            { name: 'Tries', num: true, cell: ({ tries }) => tries },
            { name: 'Tried', cell: ({ tried_at }) => <Moment at={tried_at} /> },
            { name: 'Again', cell: ({ next_at }) => <Moment at={next_at} /> },
            { name: 'Answer', cell: ({ status, said }) => [status, said].filter((part) => part !== null).join(' ') },
          ]}
        />
      )}
    </>
  );
}
