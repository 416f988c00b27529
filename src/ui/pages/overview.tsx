import type {
  WireAlarm,
  WireEquity,
  WireLimitsInUse,
  WireOrder,
  WireTradingState,
} from '../../adapters/http/answers.js';
import { LIMIT_NAMES, LIMITS } from '../../core/limits/limits.js';
import { api } from '../net/api.js';
import { isOnTape, type UiState } from '../net/ui-store.js';
import { EquityHistory, useHistory } from '../parts/equity.tsx';
import { Aged, ageText, Badge, Card, Empty, Fact, Gain, Meter, Moment, Money, Trouble } from '../parts/figures.tsx';
import { ScopeName } from '../parts/halt.tsx';
import { LimitsNote } from '../parts/limits-form.tsx';
import { Link, pathTo } from '../parts/link.tsx';
import { useMarketTime } from '../parts/markets-read.js';
import { SellAllAct } from '../parts/sell-all.tsx';
import { type Reading, useMoneyNames, useReading, useSelected } from '../parts/use-store.js';
import { microOf, sumOf } from '../state/amounts.js';
import { dateIn } from '../state/day.js';
import { happenings } from '../state/happened.js';
import { isResting, isWaiting } from '../state/reduce.js';
import { accountStop, isInForceAt } from '../state/stops.js';
import { onPage } from '../state/words.js';

/** The portfolio of the money that is shown. */
export const shownPortfolio = ({ paper, portfolios }: UiState) => portfolios[paper ? 'paper' : 'live'];

/** What runs, what it holds, what it earned, and what is wrong. */
export function OverviewPage() {
  const paper = useSelected((state) => state.paper);
  const history = useHistory(paper, null, 'day');
  const limits = useReading(
    `limits ${paper}`,
    (signal) => api<WireLimitsInUse>(`/v1/limits?paper=${paper}`, { signal }),
    5000,
  );
  return (
    <div class="cards">
      <NeedsYou />
      <Worth points={history.value} used={limits.value?.used ?? null} />
      <Today points={history.value} />
      <Meters limits={limits} />
      <LastEvents />
      <section class="card wide">
        <h2>Equity</h2>
        <EquityHistory />
      </section>
      <div class="stack">
        <StopsCard />
        <Feed />
      </div>
    </div>
  );
}

/** What waits for a person: the most urgent first, each with where it is dealt with. */
function NeedsYou() {
  const { live } = useMoneyNames();
  const paper = useSelected((state) => state.paper);
  const approvals = useSelected(({ known }) => known.approvals);
  const orders = useSelected(({ known }) => known.orders);
  const strategies = useSelected(({ known }) => known.strategies);
  const trading = useSelected(({ known }) => known.trading);
  const alarms = useSelected(({ known }) => known.alarms);
  const real = useSelected((state) => state.now);
  const waiting = [...approvals.values()].filter(isWaiting);
  const now = useMarketTime(waiting[0]?.decision, 5000);
  const unknown = [...orders.values()].filter(({ status }) => status === 'unknown');
  const paused = [...strategies.values()].filter(({ is_paused: isPaused }) => isPaused);
  const isLive = useSelected(({ settings }) => settings.live);
  const stops = trading.filter((one) => isInForceAt(one, real) && concerns(one, isLive));
  const count = waiting.length + unknown.length + paused.length + stops.length + alarms.length;
  return (
    <Card title="What needs you" wide>
      {count === 0 ? <NothingNeeded /> : null}
      <ul class="plainlist">
        {alarms.map((alarm) => (
          <AlarmRow key={`${alarm.kind} ${alarm.subject}`} alarm={alarm} />
        ))}
        {unknown.slice(0, MOST_NAMED).map((order) => (
          <li key={order.id}>
            <Badge tone="bad">Unknown</Badge> The venue has not said what became of{' '}
            <Link to={pathTo('orders', order.id)}>
              {order.side} {order.outcome_label ?? order.token}
            </Link>
            , <Money value={order.size_usdc} /> USDC
            {order.paper === paper ? '' : order.paper ? ' on paper' : ` of ${live}`}.
          </li>
        ))}
        <More count={unknown.length - MOST_NAMED} to="orders" />
        {stops.map((one) => (
          <StopRow key={`${one.scope} ${one.since} ${one.code}`} stop={one} />
        ))}
        {waiting.slice(0, MOST_NAMED).map(({ id, decision, expires_at: expiresAt }) => (
          <li key={id}>
            <Badge tone="warn">{timeLeftText(expiresAt, now)}</Badge>{' '}
            <Link to={pathTo('approvals', id)}>Approve or reject</Link> a bet of{' '}
            {strategies.get(decision.strategy_id)?.name ?? 'a strategy'}: {onPage(decision.reason)}
          </li>
        ))}
        <More count={waiting.length - MOST_NAMED} to="approvals" />
        {paused.slice(0, MOST_NAMED).map(({ id, name }) => (
          <li key={id}>
            <Badge tone="warn">Paused</Badge> <Link to={pathTo('strategies', id)}>{name}</Link> places no orders until
            it is resumed.
          </li>
        ))}
        <More count={paused.length - MOST_NAMED} to="strategies" />
      </ul>
    </Card>
  );
}

/** Whether it stops anything on a server: what holds for real money alone stops nothing where there is none. */
const concerns = ({ stops }: WireTradingState, isLive: boolean): boolean => isLive || stops === 'all';

/** How many of a kind are named before the rest is a link. */
const MOST_NAMED = 5;

/** How long it can still be approved, by the time of its market; until when, where that is not known. */
function timeLeftText(expiresAt: string, now: number | null): string {
  if (now === null) return `until ${expiresAt.slice(11, 19)}`;
  const ms = Date.parse(expiresAt) - now;
  return ms > 0 ? `${ageText(ms)} left` : 'time is up';
}

function More({ count, to }: { readonly count: number; readonly to: string }) {
  return count <= 0 ? null : (
    <li>
      <Link to={to}>{`${count} more`}</Link>
    </li>
  );
}

function NothingNeeded() {
  const isMoving = useSelected(({ connection: { marketData: data } }) => data === 'live' || data === 'playing');
  return (
    <Empty>
      {isMoving
        ? 'Nothing is wrong, and nothing waits for you.'
        : 'Nothing waits for you. There are no prices that move, so little can go wrong.'}
    </Empty>
  );
}

function AlarmRow({ alarm }: { readonly alarm: WireAlarm }) {
  return (
    <li>
      <Badge tone={alarm.urgent ? 'bad' : 'warn'}>{alarm.urgent ? 'Urgent' : 'Alarm'}</Badge> <b>{alarm.title}</b>:{' '}
      {onPage(`${alarm.detail} ${alarm.what_to_do}`)}
      <span class="hint">
        {' '}
        Since <Moment at={alarm.since} />.
      </span>
    </li>
  );
}

interface WorthProps {
  /** Null before they are read. */
  readonly points: readonly WireEquity[] | null;
  /** What is used of the limits; null before that is read. */
  readonly used: WireLimitsInUse['used'] | null;
}

function Worth({ points, used }: WorthProps) {
  const held = useSelected(shownPortfolio);
  if (held === null) return <Card title="Worth">Reading…</Card>;
  const { row, readAt } = held;
  const below = points === null || row.equity_usdc === null ? null : belowPeak(points, microOf(row.equity_usdc));
  return (
    <Card title="Worth">
      <Aged since={readAt} staleMs={30_000}>
        <p class="big">
          <Money value={row.equity_usdc} /> <small>USDC</small>
        </p>
        <dl>
          <Fact name="Profit, all time">
            <Gain value={row.profit_usdc} />
          </Fact>
          {used === null || used.drawdown_usdc === null ? (
            <Fact name="Below its highest in the plot">
              <Money value={below} />
            </Fact>
          ) : (
            <Fact name="Drawdown, as its limit counts it">
              <Money value={used.drawdown_usdc} />
            </Fact>
          )}
          <Fact name="Cash">
            <Money value={row.cash_usdc} />
          </Fact>
          <Fact name="Positions">
            <Money value={row.value_usdc} />
          </Fact>
          {(used?.exposure_usdc ?? null) === null ? (
            <Fact name="At risk: positions at cost, and working orders">
              <Money value={row.exposure_usdc} />
            </Fact>
          ) : null}
        </dl>
        {row.paper ? (
          <p class="acts">
            <SellAllAct />
          </p>
        ) : null}
      </Aged>
    </Card>
  );
}

function belowPeak(points: readonly WireEquity[], now: bigint): bigint {
  const equities = points.flatMap(({ equity_usdc }) => (equity_usdc === null ? [] : [microOf(equity_usdc)]));
  return equities.reduce((most, one) => (one > most ? one : most), now) - now;
}

function StopsCard() {
  const { capital } = useMoneyNames();
  const all = useSelected(({ known }) => known.trading);
  const isLive = useSelected(({ settings }) => settings.live);
  const trading = all.filter((one) => concerns(one, isLive));
  const real = useSelected((state) => (state.settings.live ? realMoney(state) : null));
  const isOver = useSelected(({ connection }) => connection.marketData === 'ended');
  return (
    <Card title="Trading">
      {trading.length === 0 ? (
        <p>
          <Badge tone="good">Trading</Badge> Nobody and no limit stops new bets{real === NOT_ENABLED ? ' on paper' : ''}
          .{isOver ? ' The recording has ended, so there is nothing to bet on.' : ''}
        </p>
      ) : (
        <ul class="plainlist">
          {trading.map((one) => (
            <StopRow key={`${one.scope} ${one.since} ${one.code}`} stop={one} />
          ))}
        </ul>
      )}
      {real === null ? null : (
        <dl>
          <Fact name={capital}>{real}</Fact>
        </dl>
      )}
    </Card>
  );
}

function StopRow({ stop: { state, scope, stops, reason, by, since, until } }: { readonly stop: WireTradingState }) {
  const { live } = useMoneyNames();
  return (
    <li>
      <Badge tone={state === 'halted' ? 'bad' : 'warn'}>{state === 'halted' ? 'Halted' : 'Reducing'}</Badge>{' '}
      <b>
        <ScopeName scope={scope} />
      </b>
      {stops === 'live' ? ` (${live})` : ''}: {onPage(reason)}
      <span class="hint">
        {' '}
        by {by}, since <Moment at={since} />
        {until === null ? '' : ', until '}
        {until === null ? null : <Moment at={until} />}
      </span>
    </li>
  );
}

const NOT_ENABLED = 'not enabled';

/** What an order with real money meets at this moment, since states end by themselves; null before it is read. */
function realMoney({ known: { liveEnabled, trading }, now }: UiState): string | null {
  if (liveEnabled === null) return null;
  return liveEnabled ? MEETS[accountStop(trading, now, false)?.state ?? 'active'] : NOT_ENABLED;
}

const MEETS = { active: 'trading', reducing: 'only what lowers a worst case', halted: 'halted' } as const;

function Today({ points }: Pick<WorthProps, 'points'>) {
  const paper = useSelected((state) => state.paper);
  const held = useSelected(shownPortfolio);
  const orders = useSelected(({ known }) => known.orders);
  const zone = useSelected(({ settings }) => settings.day_zone);
  const today = dateIn(zone, held?.row.at ?? new Date().toISOString());
  const before = points?.find(({ at }) => dateIn(zone, at) < today);
  const placed = [...orders.values()].filter(
    (order) => order.paper === paper && dateIn(zone, order.placed_at) === today,
  );
  const bets = placed.filter(isBet);
  const since = useSelected(({ known }) => known.ordersSince);
  const isWhole = since === null || dateIn(zone, since) < today;
  const isRead = held !== null && points !== null;
  const profit = !isRead ? null : microOf(held.row.profit_usdc) - microOf(before?.profit_usdc ?? '0');
  const fees = !isRead ? null : microOf(held.row.fees_usdc) - microOf(before?.fees_usdc ?? '0');
  const resting = [...orders.values()].filter((order) => order.paper === paper && isResting(order)).length;
  const unknown = [...orders.values()].filter(({ status }) => status === 'unknown').length;
  return (
    <Card title={`Today (${zone})`}>
      <p class="big">
        <Gain value={profit} /> <small>USDC</small>
      </p>
      <dl>
        <Fact name={isWhole ? 'Bets' : `Bets, of the newest ${placed.length} orders`}>{bets.length}</Fact>
        <Fact name={isWhole ? 'Turnover' : 'Turnover of those'}>
          <Money value={sumOf(placed.map(({ filled_size_usdc }) => filled_size_usdc))} />
        </Fact>
        <Fact name="Fees">
          <Money value={fees} />
        </Fact>
        <Fact name="Resting orders">{resting}</Fact>
        <Fact name="Unknown orders">{unknown === 0 ? 0 : <Badge tone="bad">{unknown}</Badge>}</Fact>
      </dl>
    </Card>
  );
}

const isBet = ({ status, side }: WireOrder): boolean => side === 'BUY' && status !== 'denied' && status !== 'rejected';

/** The limits that the overview shows, in its order. */
const METERS = LIMIT_NAMES.map((name) => LIMITS[name])
  .filter((limit) => 'overview' in limit)
  .sort((a, b) => a.overview - b.overview);

function Meters({ limits }: { readonly limits: Reading<WireLimitsInUse> }) {
  const { value } = limits;
  return (
    <Card title="Limits">
      <Trouble text={limits.problem} />
      {value === null ? (
        limits.problem === null ? (
          <p>Reading…</p>
        ) : null
      ) : (
        <>
          {METERS.map(({ shown, label }) => (
            <Meter key={shown} name={label} used={value.used[shown]} limit={value[shown]} />
          ))}
          <LimitsNote limits={value} />
          <p class="hint">
            <Link to="system">Set limits</Link>
          </p>
        </>
      )}
    </Card>
  );
}

/** How old the books are from which the prices of what is held come. */
function Feed() {
  const feed = useSelected(({ feeds, paper }) => feeds[paper ? 'paper' : 'live']);
  const since = useSelected(({ now }) => Math.max(0, now - (feed?.readAt ?? now)));
  const heard = useSelected(({ connection, now }) => ageText(now - connection.heardAt));
  const markets = feed?.markets ?? [];
  const oldest = markets.reduce<number | null>((most, { age_ms: age }) => Math.max(most ?? 0, age ?? 0), null);
  const without = markets.filter(({ age_ms: age }) => age === null).length;
  const stale = markets.filter(({ fresh }) => !fresh).length;
  return (
    <Card title="Feed">
      <dl>
        <Fact name="Oldest book of a market held">
          {feed === null ? '—' : oldest === null ? 'nothing is held' : ageText(oldest + since)}
        </Fact>
        <Fact name="Books that cannot be trusted">
          {feed === null ? '—' : stale === 0 ? 0 : <Badge tone="warn">{`${stale} of ${markets.length}`}</Badge>}
        </Fact>
        {without === 0 ? null : <Fact name="Markets held without a book">{without}</Fact>}
        <Fact name="Server heard">{heard} ago</Fact>
      </dl>
    </Card>
  );
}

/** How many rows are drawn. */
const MOST_HAPPENED = 20;

/** What happened, newest first: one row for an order, with its newest sentence. */
function LastEvents() {
  const events = useSelected(({ known }) => known.events);
  const onTape = useSelected(isOnTape);
  const rows = happenings(events).slice(0, MOST_HAPPENED);
  return (
    <Card title="What happened" wide>
      {rows.length === 0 ? (
        <Empty>
          Nothing has happened yet. <Link to="markets">Find a market</Link> and place a paper order, or{' '}
          <Link to="strategies/new">make a strategy</Link>.
        </Empty>
      ) : (
        <ol class="log">
          {rows.map(({ key, event, to, isOfMachine }) => (
            <li key={key}>
              <Moment at={event.at} />
              {isOfMachine && onTape ? <span class="hint"> real time</span> : null}{' '}
              {to === null ? onPage(event.text) : <Link to={pathTo(...to)}>{onPage(event.text)}</Link>}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
