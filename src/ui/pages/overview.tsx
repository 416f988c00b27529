import type { WireEquity, WireLimitsInUse, WireOrder } from '../../adapters/http/answers.js';
import { LIMIT_NAMES, LIMITS } from '../../core/limits/limits.js';
import { api } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { EquityPlot, useHistory } from '../parts/equity.tsx';
import { Aged, ageText, Badge, Card, Empty, Fact, Gain, Meter, Moment, Money, Trouble } from '../parts/figures.tsx';
import { Link } from '../parts/link.tsx';
import { type Reading, useReading, useSelected } from '../parts/use-store.js';
import { microOf, sumOf } from '../state/amounts.js';
import { dateIn } from '../state/day.js';
import { isResting, isWaiting } from '../state/reduce.js';
import { accountStop } from '../state/stops.js';

/** The portfolio of the money that is shown. */
export const shownPortfolio = ({ paper, portfolios }: UiState) => portfolios[paper ? 'paper' : 'live'];

/** What runs, what it holds, what it earned, and what is wrong. */
export function OverviewPage() {
  const paper = useSelected((state) => state.paper);
  const history = useHistory(paper, null);
  const limits = useReading(
    `limits ${paper}`,
    (signal) => api<WireLimitsInUse>(`/v1/limits?paper=${paper}`, { signal }),
    5000,
  );
  return (
    <div class="cards">
      <Worth points={history.value} used={limits.value?.used ?? null} />
      <Today points={history.value} />
      <Meters limits={limits} />
      <div class="stack">
        <StopsCard />
        <Alarms />
        <Feed />
      </div>
      <section class="card wide">
        <h2>Equity</h2>
        <Trouble text={history.problem} />
        <EquityPlot points={history.value} />
      </section>
      <LastEvents />
    </div>
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
          <Fact name="Worst loss still possible">
            <Money value={used?.exposure_usdc ?? row.exposure_usdc} />
          </Fact>
        </dl>
      </Aged>
    </Card>
  );
}

function belowPeak(points: readonly WireEquity[], now: bigint): bigint {
  const equities = points.flatMap(({ equity_usdc }) => (equity_usdc === null ? [] : [microOf(equity_usdc)]));
  return equities.reduce((most, one) => (one > most ? one : most), now) - now;
}

function StopsCard() {
  const trading = useSelected(({ known }) => known.trading);
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
            <li key={`${one.scope} ${one.since} ${one.code}`}>
              <Badge tone={one.state === 'halted' ? 'bad' : 'warn'}>
                {one.state === 'halted' ? 'Halted' : 'Reducing'}
              </Badge>{' '}
              <b>{one.scope}</b>
              {one.stops === 'live' ? ' (real money)' : ''}: {one.reason}
              <span class="hint">
                {' '}
                by {one.by}, since <Moment at={one.since} />
                {one.until === null ? '' : `, until ${one.until.slice(11, 16)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {real === null ? null : (
        <dl>
          <Fact name="Real money">{real}</Fact>
        </dl>
      )}
    </Card>
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
  const waiting = useSelected(({ known }) => [...known.approvals.values()].filter(isWaiting).length);
  const today = dateIn(zone, held?.row.at ?? new Date().toISOString());
  const before = points?.find(({ at }) => dateIn(zone, at) < today);
  const placed = [...orders.values()].filter(
    (order) => order.paper === paper && dateIn(zone, order.placed_at) === today,
  );
  const bets = placed.filter(isBet);
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
        <Fact name="Bets">{bets.length}</Fact>
        <Fact name="Turnover">
          <Money value={sumOf(placed.map(({ filled_size_usdc }) => filled_size_usdc))} />
        </Fact>
        <Fact name="Fees">
          <Money value={fees} />
        </Fact>
        <Fact name="Resting orders">{resting}</Fact>
        <Fact name="Bets that wait for you">
          {waiting === 0 ? 0 : <Link to="approvals">{`${waiting} to approve or reject`}</Link>}
        </Fact>
        <Fact name="Unknown orders">{unknown === 0 ? 0 : <Badge tone="bad">{unknown}</Badge>}</Fact>
      </dl>
    </Card>
  );
}

const isBet = ({ status, side }: WireOrder): boolean => side === 'BUY' && status !== 'denied' && status !== 'rejected';

/** The limits that the overview shows, in its order. */
const METERS = LIMIT_NAMES.map((name) => LIMITS[name])
  .filter((limit) => 'overview' in limit)
  .sort((a, b) => a.overview[0] - b.overview[0]);

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
          {METERS.map(({ shown, overview: [, label] }) => (
            <Meter key={shown} name={label} used={value.used[shown]} limit={value[shown]} />
          ))}
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

function Alarms() {
  const alarms = useSelected(({ known }) => known.alarms);
  const isMoving = useSelected(({ connection: { marketData: data } }) => data === 'live' || data === 'playing');
  return (
    <Card title="Alarms">
      {alarms.length === 0 ? (
        <Empty>
          {isMoving ? 'Nothing is wrong.' : 'No alarm. There are no prices that move, so little can be found.'}
        </Empty>
      ) : null}
      <ul class="plainlist">
        {alarms.map((alarm) => (
          <li key={`${alarm.kind} ${alarm.subject}`}>
            <Badge tone={alarm.urgent ? 'bad' : 'warn'}>{alarm.urgent ? 'Urgent' : 'Alarm'}</Badge> <b>{alarm.title}</b>
            : {alarm.detail} {alarm.what_to_do}
            <span class="hint">
              {' '}
              Since <Moment at={alarm.since} />.
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function LastEvents() {
  const events = useSelected(({ known }) => known.events);
  return (
    <Card title="Last events" wide>
      {events.length === 0 ? (
        <Empty>
          Nothing has happened yet. <Link to="markets">Find a market</Link> and place a paper order, or create a
          strategy with the API.
        </Empty>
      ) : (
        <ol class="log">
          {events.slice(0, 20).map((event) => (
            <li key={event.seq}>
              <Moment at={event.at} /> <code>{event.type}</code> <span>{event.text}</span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
