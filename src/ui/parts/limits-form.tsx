import { useEffect, useState } from 'preact/hooks';
import type { WireLimits, WireLimitsInUse } from '../../adapters/http/answers.js';
import { LIMIT_NAMES, LIMITS, type LimitKind } from '../../core/limits/limits.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { microOf } from '../state/amounts.js';
import { eventText } from '../state/words.js';
import { Act } from './act.tsx';
import { Card, Meter, Trouble } from './figures.tsx';
import { useMoneyNames, useReading, useSelected } from './use-store.js';

const KINDS = ['usdc', 'count', 'price'] as const satisfies readonly LimitKind[];

/** Amounts of money first: how much of them is in use is shown. */
const SHOWN = KINDS.flatMap((kind) => LIMIT_NAMES.map((name) => LIMITS[name]).filter((limit) => limit.kind === kind));

/** What the account may risk, how much of it is used, and a form that changes it. */
export function LimitsCard() {
  const { badge } = useMoneyNames();
  const paper = useSelected((state) => state.paper);
  const newest = useSelected(({ known }) => known.limits);
  const limits = useReading(
    `limits ${paper}`,
    (signal) => api<WireLimitsInUse>(`/v1/limits?paper=${paper}`, { signal }),
    5000,
  );
  // Read anew when they change; what is shown stays until then, and so does a form that is open.
  useEffect(() => limits.again(), [newest]);
  const { value } = limits;
  return (
    <Card title={`Limits, in use on ${badge(paper)}`}>
      <Trouble text={limits.problem} />
      {value === null ? null : (
        <>
          {SHOWN.map(({ shown, label, kind }) =>
            kind === 'usdc' ? (
              <Meter key={shown} name={label} used={value.used[shown]} limit={value[shown]} />
            ) : (
              <div class="meter" key={shown}>
                <span>{label}</span>
                <span class="num">{value[shown] ?? <span class="hint">no limit</span>}</span>
              </div>
            ),
          )}
          <LimitsNote limits={value} />
          <LimitsAct limits={value} />
        </>
      )}
    </Card>
  );
}

/** What the figures of limits count, in words. */
export function LimitsNote({ limits }: { readonly limits: Pick<WireLimits, 'daily_loss_usdc' | 'drawdown_usdc'> }) {
  const isMeasured = limits.daily_loss_usdc !== null || limits.drawdown_usdc !== null;
  return (
    <p class="hint">
      A worst loss is that of the worst results, fees included, with what working orders may still buy.
      {isMeasured
        ? ' Daily loss counts within the day, drawdown over all days, both only from when their limit was set.'
        : ''}
    </p>
  );
}

/** What a field takes, in what unit, and how that is said. */
const TAKEN = { usdc: /^\d+(\.\d{1,6})?$/, count: /^\d+$/, price: /^0(\.\d{1,6})?$/ };
const UNITS = { usdc: ', USDC', count: '', price: '' };
const WANTED = {
  usdc: 'an amount such as 25 or 12.50, or nothing for no limit',
  count: 'a whole number such as 20, or nothing for no limit',
  price: 'a difference of prices such as 0.05, or nothing for no limit',
};

const textOf = (value: string | number | null): string | null => (value === null ? null : String(value));

function LimitsAct({ limits }: { readonly limits: WireLimits }) {
  const { badge, live } = useMoneyNames();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isLive = useSelected(({ settings }) => settings.live && !settings.ui_trading);
  const changed = Object.entries(typed).filter(
    ([member, text]) => text.trim() !== (textOf(limits[member as keyof WireLimits]) ?? ''),
  );
  const wrong = changed.flatMap(([member, text]) => {
    const limit = SHOWN.find(({ shown }) => shown === member);
    return limit === undefined || text.trim() === '' || TAKEN[limit.kind].test(text.trim()) ? [] : [limit];
  });
  const raises = changed.some(([member, text]) => isRaise(textOf(limits[member as keyof WireLimits]), text.trim()));
  const send = () => {
    const body = Object.fromEntries(changed.map(([member, text]) => [member, limitIn(member, text.trim())]));
    return api<WireLimitsInUse>('/v1/limits', { method: 'PUT', body });
  };
  return (
    <Act
      label="Change limits"
      scopes={['orders:cancel', 'risk:write']}
      confirm={`Set ${changed.length} ${changed.length === 1 ? 'limit' : 'limits'}`}
      ready={changed.length > 0 && wrong.length === 0 && !(isLive && raises)}
      send={send}
      outcome={limitsOutcome}
    >
      <p>
        They hold for PAPER and {badge(false)}, each counted by itself. Empty means no limit.
        {isLive ? ` Without UI_TRADING=on they can only be lowered here, since ${live} is at risk.` : ''}
      </p>
      <div class="grid">
        {SHOWN.map(({ shown, label, kind }) => (
          <label key={shown}>
            {label}
            {UNITS[kind]}
            <input
              inputMode="decimal"
              aria-invalid={wrong.some((one) => one.shown === shown)}
              value={typed[shown] ?? textOf(limits[shown]) ?? ''}
              onInput={(event) => setTyped({ ...typed, [shown]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <Trouble
        text={wrong.length === 0 ? null : wrong.map(({ label, kind }) => `${label} takes ${WANTED[kind]}.`).join(' ')}
      />
    </Act>
  );
}

/** Whether it lets more through. What is no amount is refused by the service. */
function isRaise(before: string | null, text: string): boolean {
  if (before === null) return false;
  return text === '' || !/^\d+(\.\d{1,6})?$/.test(text) || microOf(text) > microOf(before);
}

/** Counts are numbers in a body, amounts are decimals in strings; nothing takes the limit away. */
function limitIn(member: string, text: string): string | number | null {
  if (text === '') return null;
  return SHOWN.some(({ shown, kind }) => shown === member && kind === 'count') ? Number(text) : text;
}

function limitsOutcome(_: unknown, { known }: UiState, since: number): string | null {
  const event = known.events.find((one) => one.type === 'account.limits_changed' && Number(one.seq) > since);
  return event === undefined ? null : `${eventText(event)}.`;
}
