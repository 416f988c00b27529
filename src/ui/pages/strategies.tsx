import { useState } from 'preact/hooks';
import type { WirePortfolio, WireStrategy } from '../../adapters/http/answers.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { Badge, Empty, Gain, Meter, Money, Trouble } from '../parts/figures.tsx';
import { HaltAct, ResumeAct } from '../parts/halt.tsx';
import { StrategyVersions, StrategyWhy } from '../parts/strategy-why.tsx';
import { useReading, useSelected } from '../parts/use-store.js';
import { isInForceAt } from '../state/stops.js';

/** Strategies: their state, what they used and earned, and why they did or did not bet. */
export function StrategiesPage() {
  const strategies = useSelected(({ known }) => known.strategies);
  const [open, setOpen] = useState<string | null>(null);
  if (strategies.size === 0)
    return (
      <Empty>
        No strategy yet. <code>POST /v1/strategies</code> creates one: <a href="/docs">the reference</a> shows how, and{' '}
        <code>sh examples/automation.sh</code> creates one that trades a recording.
      </Empty>
    );
  const rows = [...strategies.values()].sort((a, b) => a.name.localeCompare(b.name));
  return (
    <div class="cards">
      {rows.map((strategy) => (
        <StrategyCard key={strategy.id} strategy={strategy} isOpen={open === strategy.id} setOpen={setOpen} />
      ))}
    </div>
  );
}

interface CardProps {
  readonly strategy: WireStrategy;
  readonly isOpen: boolean;
  readonly setOpen: (id: string | null) => void;
}

function StrategyCard({ strategy, isOpen, setOpen }: CardProps) {
  const { id, name, version, automation = 'off', sport, warnings, is_paused: isPaused } = strategy;
  const stop = useSelected(({ known, now }) =>
    known.trading.find((one) => one.scope === `strategy:${id}` && isInForceAt(one, now)),
  );
  return (
    <section class={isOpen ? 'card wide' : 'card'}>
      <h2>
        {name}{' '}
        <small>
          {sport}, version {version}
        </small>
      </h2>
      <p>
        <Badge tone={isPaused ? 'warn' : 'good'}>{isPaused ? 'Paused' : 'On'}</Badge>{' '}
        <Badge>automation {automation}</Badge>{' '}
        <Badge tone={strategy.paper_only ? 'paper' : 'live'}>
          {strategy.paper_only ? 'PAPER only' : 'LIVE allowed'}
        </Badge>{' '}
        {stop === undefined ? null : (
          <Badge tone="bad">
            {stop.state}: {stop.reason}
          </Badge>
        )}
      </p>
      <Caps strategy={strategy} />
      {warnings.map(({ pointer, detail }) => (
        <p class="note warn" key={`${pointer} ${detail}`}>
          {detail}
        </p>
      ))}
      <p class="acts">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(isOpen ? null : id)}>
          {isOpen ? 'Hide details' : `Why it bet, and why not`}
        </button>
        <PauseAct strategy={strategy} />
        <ResumeAct scope={`strategy:${id}`} isOffered={stop !== undefined} />
        <HaltAct scope={`strategy:${id}`} label="Halt strategy" />
      </p>
      {isOpen ? (
        <>
          <StrategyWhy strategy={strategy} />
          <StrategyVersions strategy={strategy} />
        </>
      ) : null}
    </section>
  );
}

function Caps({ strategy }: { readonly strategy: WireStrategy }) {
  const paper = useSelected((state) => state.paper);
  const { id, bankroll_cap: cap, stake_cap: stake } = strategy;
  const held = useReading(
    `caps ${id} ${paper}`,
    (signal) => api<WirePortfolio>(`/v1/portfolio?paper=${paper}&strategy_id=${id}`, { signal }),
    5000,
  );
  const { value } = held;
  return (
    <>
      <Trouble text={held.problem} />
      <Meter name="At work, of its bankroll" used={value?.exposure_usdc ?? null} limit={cap} />
      <p class="hint">
        {paper ? 'PAPER' : 'LIVE'} profit <Gain value={value?.profit_usdc} />, at most <Money value={stake} /> a bet.
      </p>
    </>
  );
}

function PauseAct({ strategy }: { readonly strategy: WireStrategy }) {
  const { id, name, is_paused: isPaused, paper_only: isPaper } = strategy;
  const verb = isPaused ? 'resume' : 'pause';
  const forbidden = useSelected(({ settings }) => isPaused && !isPaper && settings.live && !settings.ui_trading);
  const outcome = (_: WireStrategy, { known }: UiState, since: number) => {
    const event = known.events.find((one) => Number(one.seq) > since && one.data.strategy?.id === id);
    return event === undefined ? null : `${event.type}, event ${event.seq}: version ${event.data.strategy?.version}.`;
  };
  return (
    <Act<WireStrategy>
      label={isPaused ? 'Resume' : 'Pause'}
      confirm={isPaused ? 'Let it place orders' : 'Deny its orders'}
      forbidden={forbidden ? 'Real money is at risk: the server runs without UI_TRADING=on.' : null}
      send={(idempotencyKey) => api(`/v1/strategies/${id}/${verb}`, { method: 'POST', idempotencyKey })}
      outcome={outcome}
    >
      <p>
        {isPaused
          ? `${name} places orders again.`
          : `Every new order of ${name} is denied, its exits too. What rests stays. To keep its exits, halt it with “Only bets that lower a worst case”.`}
      </p>
    </Act>
  );
}
