import { useState } from 'preact/hooks';
import type { WireLoggedEvent, WireTradingState } from '../../adapters/http/answers.js';
import { shortId } from '../../core/ids.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { sumOf } from '../state/amounts.js';
import { isResting } from '../state/reduce.js';
import { Act } from './act.tsx';
import { Money } from './figures.tsx';
import { Link, pathTo } from './link.tsx';
import { LiveSales } from './sell-all.tsx';
import { useLiveBar, useMoneyNames, useSelected } from './use-store.js';

const EFFECTS = [
  { name: 'halt', state: 'halted', cancel: false, words: 'No new bets' },
  { name: 'halt-cancel', state: 'halted', cancel: true, words: 'No new bets, and cancel what rests' },
  { name: 'reduce', state: 'reducing', cancel: false, words: 'Only bets that lower a worst case' },
] as const;

interface Cancelled {
  readonly cancellation: { readonly cancelled: number; readonly working: number } | null;
}

/** Stops the bets of a scope. It is offered in every mode. */
export function HaltAct({ scope = 'account', label = 'Halt' }: { readonly scope?: string; readonly label?: string }) {
  const [chosen, setChosen] = useState<(typeof EFFECTS)[number]>(EFFECTS[0]);
  const [reason, setReason] = useState('From the dashboard');
  const isLiveView = useSelected(({ paper }) => !paper);
  const send = (idempotencyKey: string) =>
    api<WireTradingState & Cancelled>('/v1/trading/state', {
      method: 'POST',
      idempotencyKey,
      body: { scope, state: chosen.state, reason: reason.trim() || 'From the dashboard', cancel: chosen.cancel },
    });
  return (
    <Act
      label={label}
      scopes={['orders:cancel', 'risk:write', 'admin']}
      confirm={chosen.words}
      grave
      send={send}
      outcome={stopOutcome}
    >
      <StoppedStrategies scope={scope} />
      <AtStake scope={scope} />
      {isLiveView && scope === 'account' ? <LiveSales /> : null}
      <div role="radiogroup" aria-label="What happens">
        {EFFECTS.map((effect) => (
          <label key={effect.name} class="choice">
            <input type="radio" name="effect" checked={effect === chosen} onChange={() => setChosen(effect)} />
            <span>{effect.words}</span>
          </label>
        ))}
      </div>
      <label>
        Reason
        <input value={reason} maxLength={200} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
    </Act>
  );
}

/** How many strategies stop betting. */
function StoppedStrategies({ scope }: { readonly scope: string }) {
  const strategies = useSelected(({ known }) => known.strategies);
  if (scope !== 'account') return null;
  const running = [...strategies.values()].filter(({ is_paused: isPaused }) => !isPaused);
  const [auto, asking] = ['auto', 'approve'].map(
    (one) => running.filter(({ automation }) => automation === one).length,
  );
  return (
    <p>
      It stops {auto === 1 ? '1 strategy that bets' : `${auto} strategies that bet`} by{' '}
      {auto === 1 ? 'itself' : 'themselves'}, {asking} that {asking === 1 ? 'asks' : 'ask'} first, and every order by
      hand.
    </p>
  );
}

/** Counts and money that the action is about, paper and real money separately. */
function AtStake({ scope }: { readonly scope: string }) {
  const { badge } = useMoneyNames();
  const orders = useSelected(({ known }) => known.orders);
  const portfolios = useSelected((state) => state.portfolios);
  const strategy = scope.startsWith('strategy:') ? scope.slice('strategy:'.length) : null;
  const working = [...orders.values()].filter(
    (order) => isResting(order) && (strategy === null || order.strategy_id === strategy),
  );
  const kinds = [true, false].flatMap((paper) => {
    const some = working.filter((order) => order.paper === paper);
    const held = portfolios[paper ? 'paper' : 'live'];
    return !paper && some.length === 0 && held === null ? [] : [{ paper, some, held }];
  });
  return (
    <ul>
      {kinds.map(({ paper, some, held }) => (
        <li key={String(paper)}>
          {badge(paper)}: {some.length} resting {some.length === 1 ? 'order' : 'orders'} for{' '}
          <Money value={sumOf(some.map(({ size_usdc }) => size_usdc))} /> USDC
          {strategy === null && held !== null ? (
            <>
              , <Money value={held.row.value_usdc} /> USDC held. Nothing of it is sold.
            </>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function stopOutcome(answer: Cancelled, { known }: UiState, since: number): string | null {
  const event = known.events.find((one) => one.type === 'trading.state' && Number(one.seq) > since);
  const trading = event?.data.trading;
  if (event === undefined || trading === undefined) return null;
  const { cancellation } = answer;
  const orders =
    cancellation === null ? '' : ` Cancelled ${cancellation.cancelled} orders, ${cancellation.working} still work.`;
  const words = {
    halted: 'Halted: no new bets',
    reducing: 'Only bets that lower a worst case',
    active: 'Trading again',
  };
  return `${words[trading.state]}, event ${event.seq} at ${timeOf(event)}.${orders}`;
}

const timeOf = ({ at }: WireLoggedEvent): string => at.slice(11, 19);

/** What a state of trading is about, in words; a strategy by its name. */
export function ScopeName({ scope }: { readonly scope: string }) {
  const [kind, name = ''] = scope.split(/:(.*)/s);
  const strategy = useSelected(({ known }) => known.strategies.get(name));
  if (kind === 'strategy')
    return <Link to={pathTo('strategies', name)}>{strategy?.name ?? `strategy ${shortId(name)}`}</Link>;
  if (kind === 'sport') return <>markets of {name}</>;
  return <>{kind === 'service' ? 'all accounts of this server' : 'this account'}</>;
}

/** Lets a scope trade again. */
export function ResumeAct({ scope = 'account', isOffered }: { readonly scope?: string; readonly isOffered: boolean }) {
  const forbidden = useLiveBar(useSelected(({ settings }) => settings.live && !settings.ui_trading));
  const send = (idempotencyKey: string) =>
    api<WireTradingState & Cancelled>('/v1/trading/state', {
      method: 'POST',
      idempotencyKey,
      body: { scope, state: 'active', reason: 'Resumed from the dashboard' },
    });
  return (
    <Act
      label="Resume"
      scopes={['risk:write']}
      confirm="Let it bet again"
      send={send}
      outcome={stopOutcome}
      isOffered={isOffered}
      forbidden={forbidden}
    >
      <p>New bets are accepted again, by hand and by strategies, within the limits.</p>
    </Act>
  );
}
