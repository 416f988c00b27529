import { api, rowsOf } from '../net/api.js';
import { Badge, Card, Empty, Fact, Moment, Trouble } from '../parts/figures.tsx';
import { LimitsCard } from '../parts/limits-form.tsx';
import { DataTable } from '../parts/table.tsx';
import { useReading, useSeen, useStore } from '../parts/use-store.js';
import type { KeyRow, TradingRow, WebhookRow } from '../state/wire.js';

/** Limits, keys, webhooks, what was done to trading, and what runs here. */
export function SystemPage() {
  const { settings } = useStore().state;
  return (
    <div class="cards">
      <LimitsCard />
      <Versions />
      <StopsSet />
      {settings.has_keys ? (
        <Keys />
      ) : (
        <Card title="API keys">
          <Empty>This server has no keys: AUTH_MODE is dev or jwt.</Empty>
        </Card>
      )}
      {settings.has_webhooks ? <Webhooks /> : null}
    </div>
  );
}

function Versions() {
  const { settings } = useStore().state;
  const head = useSeen(({ known }) => known.head);
  const reasons = useSeen(({ connection }) => connection.reasons);
  return (
    <Card title="This server">
      <dl>
        <Fact name="stakeport">{settings.version}</Fact>
        <Fact name="Real money">
          {settings.live ? <Badge tone="live">LIVE possible</Badge> : <Badge tone="paper">PAPER only</Badge>}
        </Fact>
        <Fact name="Acts with real money here">{settings.ui_trading ? 'offered' : 'not offered (UI_TRADING=off)'}</Fact>
        <Fact name="Callers">{settings.needs_login ? 'have credentials' : 'are trusted (AUTH_MODE=dev)'}</Fact>
        <Fact name="Ready">{reasons.length === 0 ? 'yes' : reasons.join(', ')}</Fact>
        <Fact name="Last event">{head}</Fact>
      </dl>
    </Card>
  );
}

function StopsSet() {
  const history = useReading(
    'trading history',
    (signal) => api<{ data: readonly TradingRow[] }>('/v1/trading/history?limit=20', { signal }),
    10_000,
  );
  const rows = history.value?.data ?? [];
  return (
    <Card title="Stops and releases" wide>
      <Trouble text={history.problem} />
      {rows.length === 0 ? (
        <Empty>Trading was never stopped.</Empty>
      ) : (
        <DataTable<TradingRow>
          caption="What was set about trading, newest first"
          rows={rows}
          keyOf={({ since, scope }) => `${since} ${scope}`}
          columns={[
            { name: 'Since', cell: ({ since }) => <Moment at={since} /> },
            { name: 'Scope', cell: ({ scope }) => scope },
            { name: 'State', cell: ({ state }) => state },
            { name: 'By', cell: ({ by }) => by },
            { name: 'Reason', cell: ({ reason }) => reason },
          ]}
        />
      )}
    </Card>
  );
}

function Keys() {
  const keys = useReading('keys', () => rowsOf<KeyRow>('/v1/admin/keys', 200));
  const rows = keys.value;
  return (
    <Card title="API keys" wide>
      <Trouble text={keys.problem} />
      {rows === null ? null : (
        <DataTable<KeyRow>
          caption="API keys, without their secrets"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Key', cell: ({ id }) => <code>{id}</code> },
            { name: 'Account', cell: ({ account }) => account },
            { name: 'May', cell: ({ scopes }) => scopes.join(', ') },
            { name: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
            { name: 'Ends', cell: ({ expires_at }) => <Moment at={expires_at} /> },
            { name: 'Revoked', cell: ({ revoked_at }) => <Moment at={revoked_at} /> },
          ]}
        />
      )}
    </Card>
  );
}

/** Where one leads: an address, or how a person is told. */
const placeOf = ({ kind, url, chat_id: chat = '', topic = chat }: WebhookRow): string =>
  kind === undefined ? (url ?? '') : `${kind} ${topic}`;

function Webhooks() {
  const hooks = useReading(
    'webhooks',
    (signal) => api<{ data: readonly WebhookRow[] }>('/v1/webhooks', { signal }),
    10_000,
  );
  const rows = hooks.value?.data ?? null;
  return (
    <Card title="Webhooks" wide>
      <Trouble text={hooks.problem} />
      {rows === null ? null : rows.length === 0 ? (
        <Empty>
          No webhook is set up: <code>POST /v1/webhooks</code> makes one.
        </Empty>
      ) : (
        <DataTable<WebhookRow>
          caption="Webhooks"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { name: 'Sends to', cell: (row) => <code>{placeOf(row)}</code> },
            { name: 'State', cell: (row) => <HookState row={row} /> },
            { name: 'Delivered', cell: ({ delivered_at }) => <Moment at={delivered_at ?? null} /> },
            { name: 'Failing since', cell: ({ failing_since }) => <Moment at={failing_since ?? null} /> },
            { name: 'Events', cell: ({ types }) => (types.length === 0 ? 'all' : types.join(', ')) },
          ]}
        />
      )}
    </Card>
  );
}

function HookState({ row }: { readonly row: WebhookRow }) {
  const tone = row.state === 'active' ? (row.failing_since ? 'warn' : 'good') : 'bad';
  return (
    <>
      <Badge tone={tone}>{row.state}</Badge> {row.disabled_because}
    </>
  );
}
