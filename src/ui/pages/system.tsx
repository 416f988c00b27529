import type { WireKey, WireTradingState } from '../../adapters/http/answers.js';
import { api, rowsOf } from '../net/api.js';
import { Badge, Card, Empty, Fact, Moment, Trouble } from '../parts/figures.tsx';
import { ScopeName } from '../parts/halt.tsx';
import { LimitsCard } from '../parts/limits-form.tsx';
import { ChangeRecord } from '../parts/record.tsx';
import { Refused } from '../parts/refused.tsx';
import { Servers } from '../parts/servers.tsx';
import { DataTable } from '../parts/table.tsx';
import { useMoneyNames, useReading, useSelected, useStore } from '../parts/use-store.js';
import { WebhooksCard } from '../parts/webhooks.tsx';
import { onPage } from '../state/words.js';

/** Limits, what runs here, what was changed and by whom, keys and webhooks. */
export function SystemPage() {
  const { settings } = useStore().state;
  return (
    <div class="cards">
      <LimitsCard />
      <Versions />
      <StopsSet />
      <Servers />
      <ChangeRecord />
      <Keys />
      {settings.has_webhooks ? (
        <WebhooksCard />
      ) : (
        <Card title="Webhooks" wide>
          <Empty>This server sends none: SECRETS_KEY is not set.</Empty>
        </Card>
      )}
    </div>
  );
}

function Versions() {
  const { badge, live, capital } = useMoneyNames();
  const { settings } = useStore().state;
  const head = useSelected(({ known }) => known.head);
  const reasons = useSelected(({ connection }) => connection.reasons);
  return (
    <Card title="This server">
      <dl>
        <Fact name="stakeport">{settings.version}</Fact>
        <Fact name={capital}>
          {settings.live ? <Badge tone="live">{badge(false)} possible</Badge> : <Badge tone="paper">PAPER only</Badge>}
        </Fact>
        <Fact name={`Acts with ${live} here`}>{settings.ui_trading ? 'offered' : 'not offered (UI_TRADING=off)'}</Fact>
        <Fact name="Callers">{settings.needs_login ? 'have credentials' : 'are trusted (AUTH_MODE=dev)'}</Fact>
        <Fact name="Ready">{reasons.length === 0 ? 'yes' : reasons.join(', ')}</Fact>
        <Fact name="Last event">{head}</Fact>
      </dl>
    </Card>
  );
}

/** What was set for the account, and for all accounts, newest first. */
async function readStops(signal: AbortSignal): Promise<readonly WireTradingState[]> {
  const read = async (of: string) =>
    (await api<{ data: readonly WireTradingState[] }>(`/v1/trading/history?limit=20&of=${of}`, { signal })).data;
  const found = (await Promise.all([read('account'), read('service')])).flat();
  return found.sort((one, other) => (one.since < other.since ? 1 : -1)).slice(0, 20);
}

/** What states of trading are called. */
const STATES = { active: 'Trading', reducing: 'Reducing only', halted: 'Halted' } as const;

function StopsSet() {
  const history = useReading('trading history', readStops, 10_000);
  const rows = history.value;
  return (
    <Card title="Stops and releases" wide>
      <Trouble text={history.problem} />
      {rows === null ? null : rows.length === 0 ? (
        <Empty>Trading was never stopped.</Empty>
      ) : (
        <DataTable<WireTradingState>
          caption="What was set about trading, newest first"
          rows={rows}
          keyOf={({ since, scope }) => `${since} ${scope}`}
          columns={[
            { name: 'Since', cell: ({ since }) => <Moment at={since} /> },
            { name: 'Scope', cell: ({ scope }) => <ScopeName scope={scope} /> },
            { name: 'State', cell: ({ state }) => STATES[state] },
            { name: 'By', cell: ({ by }) => by },
            { name: 'Reason', cell: ({ reason }) => onPage(reason) },
          ]}
        />
      )}
    </Card>
  );
}

function Keys() {
  const { settings } = useStore().state;
  return (
    <Card title="API keys" wide>
      {settings.has_keys ? <KeyTable /> : <Empty>This server has no keys: AUTH_MODE is dev or jwt.</Empty>}
    </Card>
  );
}

function KeyTable() {
  const keys = useReading('keys', () => rowsOf<WireKey>('/v1/admin/keys', 200));
  const rows = keys.value;
  return (
    <>
      <Refused status={keys.status} problem={keys.problem} what="the keys" />
      {rows === null ? null : (
        <DataTable<WireKey>
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
    </>
  );
}
