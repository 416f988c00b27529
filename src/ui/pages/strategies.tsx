import type { WirePortfolio, WireStrategy } from '../../adapters/http/answers.js';
import { api, type ListPage } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { Act } from '../parts/act.tsx';
import { ByEnding, STRATEGY_IDS } from '../parts/by-ending.tsx';
import { StrategyPlot } from '../parts/equity.tsx';
import { WarningText } from '../parts/explained.tsx';
import { Badge, Empty, Gain, Meter, Money, Trouble } from '../parts/figures.tsx';
import { HaltAct, ResumeAct } from '../parts/halt.tsx';
import { Link, pathTo, useAsked } from '../parts/link.tsx';
import { AskedChoice, Filters, Pager, useListPage } from '../parts/listed.tsx';
import { StrategyMeaning, StrategyVersions, StrategyWhy } from '../parts/strategy-why.tsx';
import { useLiveBar, useMay, useMoneyNames, useReading, useSelected } from '../parts/use-store.js';
import { waitingOf } from '../state/reduce.js';
import { isInForceAt } from '../state/stops.js';
import { AUTOMATION_WORDS } from '../state/strategy-draft.js';
import { eventText, onPage } from '../state/words.js';
import { StrategyForm } from './strategy-form.tsx';

/** Strategies: their state, what they used and earned, and why they did or did not bet. */
export function StrategiesPage() {
  const strategies = useSelected(({ known }) => known.strategies);
  const [id, act] = useSelected(({ of }) => of);
  const mayWrite = useMay('strategies:write');
  const isForm = id === 'new' || act === 'edit';
  if (isForm && !mayWrite)
    return <Empty>To make or change a strategy takes a key with the scope strategies:write.</Empty>;
  if (id === 'new') return <NewStrategy />;
  if (id !== undefined)
    return (
      <ByEnding text={id} list={STRATEGY_IDS}>
        {(whole) =>
          isForm ? <StrategyForm id={whole} from={whole} /> : <OneStrategy strategy={strategies.get(whole)} />
        }
      </ByEnding>
    );
  return <StrategyList />;
}

/** The form of one that is new, or begun as a copy of the one that the address names. */
function NewStrategy() {
  const from = useAsked().get('from');
  if (from === '') return <StrategyForm id={null} from={null} />;
  return (
    <ByEnding text={from} list={STRATEGY_IDS} addressOf={(id) => `strategies/new?from=${id}`}>
      {(whole) => <StrategyForm id={null} from={whole} />}
    </ByEnding>
  );
}

/** How many are shown at once: each asks what it holds. */
const CARDS = 20;

/** Strategies, newest first, a page at a time as the server has them; those that are known are shown as they are now. */
function StrategyList() {
  const mayWrite = useMay('strategies:write');
  const { query, get } = useAsked();
  const strategies = useSelected(({ known }) => known.strategies);
  const filters = { sport: get('sport'), is_paused: get('paused') };
  const { value, problem } = useListPage<ListPage<WireStrategy>>('/v1/strategies', filters, EVERY_MS, CARDS);
  const rows = (value?.data ?? []).map((row) => strategies.get(row.id) ?? row);
  const sports = [...new Set([...strategies.values()].map(({ sport }) => sport))].sort();
  return (
    <>
      <p class="acts">
        {mayWrite ? (
          <Link to="strategies/new" isButton>
            New strategy
          </Link>
        ) : null}
        {strategies.size > 1 ? <Link to="results?compare=">Compare their results</Link> : null}
      </p>
      {strategies.size > 1 || query !== '' ? (
        <Filters>
          <AskedChoice
            name="sport"
            label="Sport"
            options={[['', 'any'], ...sports.map((one) => [one, one] as const)]}
          />
          <AskedChoice
            name="paused"
            label="State"
            options={[
              ['', 'any'],
              ['false', 'on'],
              ['true', 'paused'],
            ]}
          />
        </Filters>
      ) : null}
      <Trouble text={problem} />
      {value === null && problem === null ? <p>Reading…</p> : null}
      {value !== null && rows.length === 0 ? (
        <Empty>
          {query === ''
            ? 'No strategy yet. Make one: the form says in sentences what it would do.'
            : 'No strategy is like this. Choose another filter.'}
        </Empty>
      ) : null}
      <div class="cards">
        {rows.map((strategy) => (
          <section class="card" key={strategy.id}>
            <Summary strategy={strategy} />
          </section>
        ))}
      </div>
      <Pager next={value?.next_cursor ?? null} />
    </>
  );
}

const EVERY_MS = 5000;

function OneStrategy({ strategy }: { readonly strategy: WireStrategy | undefined }) {
  if (strategy === undefined)
    return (
      <Empty>
        There is no strategy with this id; it may be archived. See <Link to="strategies">all strategies</Link>.
      </Empty>
    );
  return (
    <section class="card wide">
      <Summary strategy={strategy} isAlone />
      <StrategyMeaning strategy={strategy} />
      <StrategyPlot id={strategy.id} />
      <StrategyWhy strategy={strategy} />
      <StrategyVersions strategy={strategy} />
    </section>
  );
}

/** What a strategy is, and what can be done with it. */
function Summary({ strategy, isAlone = false }: { readonly strategy: WireStrategy; readonly isAlone?: boolean }) {
  const { id, name, version, automation = 'off', sport, warnings, is_paused: isPaused } = strategy;
  const mayWrite = useMay('strategies:write');
  const stop = useSelected(({ known, now }) =>
    known.trading.find((one) => one.scope === `strategy:${id}` && isInForceAt(one, now)),
  );
  return (
    <>
      <h2>
        <Link to={pathTo('strategies', id)}>{name}</Link>{' '}
        <small>
          {sport}, version {version}
        </small>
      </h2>
      <p>
        <Badge tone={isPaused ? 'warn' : 'good'}>{isPaused ? 'Paused' : 'On'}</Badge>{' '}
        <Badge>{AUTOMATION_WORDS.find(([value]) => value === automation)?.[1] ?? automation}</Badge>{' '}
        <Badge tone={strategy.paper_only ? 'paper' : 'live'}>
          {strategy.paper_only ? 'PAPER only' : 'LIVE allowed'}
        </Badge>{' '}
        {stop === undefined ? null : (
          <Badge tone="bad">
            {stop.state === 'halted' ? 'Halted' : 'Reducing only'}: {onPage(stop.reason)}
          </Badge>
        )}
      </p>
      <Caps strategy={strategy} />
      {warnings.map((one) => (
        <p class="note warn" key={`${one.pointer} ${one.detail}`}>
          <WarningText of={one} />
        </p>
      ))}
      <WaitingBets id={id} />
      <p class="acts">
        {isAlone ? null : <Link to={pathTo('strategies', id)}>Why it bet, and why not</Link>}
        {mayWrite ? (
          <>
            <Link to={pathTo('strategies', id, 'edit')} isButton>
              Edit
            </Link>
            <Link to={`strategies/new?from=${id}`} isButton>
              Clone
            </Link>
          </>
        ) : null}
        <PauseAct strategy={strategy} />
        <ArchiveAct strategy={strategy} />
        <ResumeAct scope={`strategy:${id}`} isOffered={stop !== undefined} />
        <HaltAct scope={`strategy:${id}`} label="Halt strategy" />
      </p>
    </>
  );
}

/** How many of its bets wait for a person. */
function WaitingBets({ id }: { readonly id: string }) {
  const count = useSelected(({ known }) => waitingOf(known.approvals, id).length);
  if (count === 0) return null;
  return (
    <p>
      <Link to="approvals">{count === 1 ? '1 bet waits for you' : `${count} bets wait for you`}</Link>.
    </p>
  );
}

/** An archived strategy cannot be brought back; its orders and versions stay. */
function ArchiveAct({ strategy: { id, name } }: { readonly strategy: WireStrategy }) {
  const waiting = useSelected(({ known }) => waitingOf(known.approvals, id).length);
  return (
    <Act<WireStrategy>
      label="Archive"
      scopes={['strategies:write']}
      confirm="Archive it"
      send={() => api(`/v1/strategies/${id}`, { method: 'DELETE' })}
      outcome={(_, { known }, since) => {
        const event = known.events.find((one) => Number(one.seq) > since && one.data.strategy?.id === id);
        return event === undefined ? null : `${eventText(event)}.`;
      }}
    >
      <p>
        {name} takes no more orders and is not shown any more. It cannot be brought back: a clone can. What it holds is
        not sold, and its orders and versions stay on record.{' '}
        {waiting === 0 ? '' : `Its bets that wait for you, ${waiting}, are withdrawn.`}
      </p>
    </Act>
  );
}

function Caps({ strategy }: { readonly strategy: WireStrategy }) {
  const { badge } = useMoneyNames();
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
        {badge(paper)} profit <Gain value={value?.profit_usdc} />, at most <Money value={stake} /> a bet.
      </p>
    </>
  );
}

function PauseAct({ strategy }: { readonly strategy: WireStrategy }) {
  const { id, name, is_paused: isPaused, paper_only: isPaper } = strategy;
  const verb = isPaused ? 'resume' : 'pause';
  const forbidden = useLiveBar(
    useSelected(({ settings }) => isPaused && !isPaper && settings.live && !settings.ui_trading),
  );
  const outcome = (_: WireStrategy, { known }: UiState, since: number) => {
    const event = known.events.find((one) => Number(one.seq) > since && one.data.strategy?.id === id);
    return event === undefined ? null : `${eventText(event)}: version ${event.data.strategy?.version}.`;
  };
  return (
    <Act<WireStrategy>
      label={isPaused ? 'Resume' : 'Pause'}
      scopes={['strategies:write']}
      confirm={isPaused ? 'Let it place orders' : 'Deny its orders'}
      forbidden={forbidden}
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
