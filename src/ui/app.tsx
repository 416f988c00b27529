import { useEffect, useRef, useState } from 'preact/hooks';
import type { WireTradingState } from '../adapters/http/answers.js';
import { isOnTape, ODDS_KEY, tapeTime, type UiState } from './net/ui-store.js';
import { ApprovalsPage } from './pages/approvals.tsx';
import { LoginPage } from './pages/login.tsx';
import { MarketsPage } from './pages/markets.tsx';
import { OrdersPage } from './pages/orders.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { PositionsPage } from './pages/positions.tsx';
import { ResultsPage } from './pages/results.tsx';
import { SignalsPage } from './pages/signals.tsx';
import { StrategiesPage } from './pages/strategies.tsx';
import { SystemPage } from './pages/system.tsx';
import { ageText, Badge, Empty } from './parts/figures.tsx';
import { HaltAct, ResumeAct } from './parts/halt.tsx';
import { Link } from './parts/link.tsx';
import { SessionEnd } from './parts/session-end.tsx';
import { useLogin, useMoneyNames, useSelected, useStore } from './parts/use-store.js';
import { ODDS_FORMATS, type OddsFormat } from './state/amounts.js';
import { isWaiting } from './state/reduce.js';
import { accountStop } from './state/stops.js';

const PAGES = {
  overview: ['Overview', OverviewPage],
  positions: ['Positions', PositionsPage],
  orders: ['Orders', OrdersPage],
  strategies: ['Strategies', StrategiesPage],
  markets: ['Markets', MarketsPage],
  signals: ['Signals', SignalsPage],
  approvals: ['Approvals', ApprovalsPage],
  results: ['Results', ResultsPage],
  system: ['System', SystemPage],
} as const;

const NoPage = () => (
  <Empty>
    The dashboard has nothing at this address. It may be written wrongly. Go to the <Link to="overview">overview</Link>.
  </Empty>
);
const NOWHERE = ['There is no such page', NoPage] as const;

const SILENT_MS = 30_000;

/** Whether the server has said nothing for so long that all that is shown is old. */
const isSilent = ({ connection, now }: UiState): boolean => now - connection.heardAt > SILENT_MS;

/** Why this key may not see the account; undefined where it may. */
const refusalOf = ({ connection }: UiState): string | undefined =>
  connection.state === 'refused' ? connection.refusal : undefined;

/** The whole dashboard. */
export function App() {
  const page = useSelected((state) => state.page);
  const isLoaded = useSelected((state) => state.isLoaded);
  const isOld = useSelected(isSilent);
  const refusal = useSelected(refusalOf);
  const [title, Page] = PAGES[page as keyof typeof PAGES] ?? NOWHERE;
  useEffect(() => {
    document.title = `${page === 'login' ? 'Log in' : title} · stakeport`;
  }, [page]);
  if (page === 'login')
    return (
      <main class="plain">
        <LoginPage />
      </main>
    );
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Header />
      <Nav />
      <main id="main">
        <Banner />
        <SessionEnd />
        <h1 tabIndex={-1}>{title}</h1>
        <div class={isOld ? 'stale' : ''}>
          {refusal !== undefined ? (
            <Empty>{refusal} Log in with a key that has it.</Empty>
          ) : isLoaded || Page === NoPage ? (
            <Page key={page} />
          ) : (
            <p class="empty">Reading…</p>
          )}
        </div>
      </main>
      <footer>
        <a href="/docs">API reference</a> · <a href="/ui/halt">Halt without JavaScript</a> · <TimesAre /> <OddsChoice />{' '}
        <Lacking /> <Head /> <LogOut />
        <Announcer />
      </footer>
    </>
  );
}

function TimesAre() {
  const onTape = useSelected(isOnTape);
  return (
    <>
      Times are in UTC
      {onTape ? ', and those of the tape; of what was done outside of it they are marked “real time”' : ''}.
    </>
  );
}

/** What the dashboard offers takes these scopes. */
const OFFERED = ['strategies:write', 'orders:paper', 'orders:cancel', 'risk:write', 'webhooks:write'] as const;

/** Why buttons are missing. */
function Lacking() {
  const scopes = useSelected((state) => state.scopes);
  const lacking = scopes === null ? [] : OFFERED.filter((scope) => !scopes.includes(scope));
  if (lacking.length === 0) return null;
  return <span>This key lacks {lacking.join(', ')}: what takes them is not offered. </span>;
}

/** How odds are written on every page. */
function OddsChoice() {
  const store = useStore();
  const odds = useSelected((state) => state.odds);
  const choose = (format: OddsFormat) => {
    localStorage.setItem(ODDS_KEY, format);
    store.set({ odds: format });
  };
  return (
    <label>
      Odds{' '}
      <select value={odds} onChange={({ currentTarget }) => choose(currentTarget.value as OddsFormat)}>
        {ODDS_FORMATS.map((format) => (
          <option key={format}>{format}</option>
        ))}
      </select>
    </label>
  );
}

/** The last event that the page has seen. */
function Head() {
  const head = useSelected(({ known, isLoaded }) => (isLoaded ? known.head : null));
  if (head === null) return null;
  return <span data-head={head}>Event {head}.</span>;
}

function LogOut() {
  const login = useLogin();
  const account = useSelected((state) => state.session?.account);
  const needsLogin = useSelected(({ settings }) => settings.needs_login);
  if (!needsLogin) return null;
  return (
    <>
      {account === undefined ? null : `Logged in for ${account}. `}
      <button type="button" class="asLink" onClick={() => login.logOut()}>
        Log out
      </button>
    </>
  );
}

function Header() {
  const { badge } = useMoneyNames();
  const store = useStore();
  const { settings } = store.state;
  const paper = useSelected((state) => state.paper);
  const trading = useSelected(({ known }) => known.trading);
  const isEnabled = useSelected(({ known }) => paper || known.liveEnabled !== false);
  const now = useSelected((state) => state.now);
  const stop = accountStop(trading, now, paper);
  const isOld = useSelected(isSilent);
  const show = (isPaper: boolean) => () => store.set({ paper: isPaper });
  return (
    <header>
      <b class="brand">stakeport</b>
      {settings.live ? (
        <fieldset class="switch">
          <legend class="hidden">Which money is shown</legend>
          <button type="button" aria-pressed={paper} onClick={show(true)}>
            PAPER
          </button>
          <button type="button" aria-pressed={!paper} onClick={show(false)}>
            {badge(false)}
          </button>
        </fieldset>
      ) : (
        <Badge tone="paper">PAPER</Badge>
      )}
      <span class={isOld ? 'stale' : ''}>
        <StopBadge stop={stop} isEnabled={isEnabled} />
      </span>
      <Pulse />
      <TapeTime />
      <AlarmCount />
      <span class="gap" />
      <ResumeAct isOffered={stop !== null} />
      <HaltAct />
    </header>
  );
}

/** Whether new bets are made, with the money that is shown. */
function StopBadge({ stop, isEnabled }: { readonly stop: WireTradingState | null; readonly isEnabled: boolean }) {
  const { live } = useMoneyNames();
  const isLoaded = useSelected((state) => state.isLoaded);
  if (!isLoaded) return <Badge>Reading…</Badge>;
  if (stop !== null)
    return stop.state === 'halted' ? (
      <Badge tone="bad">Halted: no new bets</Badge>
    ) : (
      <Badge tone="warn">Reducing only</Badge>
    );
  return isEnabled ? <Badge tone="good">Trading</Badge> : <Badge tone="warn">Not enabled for {live}</Badge>;
}

/** On every page, what a person should look at. */
function AlarmCount() {
  const alarms = useSelected(({ known }) => known.alarms);
  if (alarms.length === 0) return null;
  return (
    <Link to="overview">
      <Badge tone={alarms.some(({ urgent }) => urgent) ? 'bad' : 'warn'}>
        {alarms.length === 1 ? '1 alarm' : `${alarms.length} alarms`}
      </Badge>
    </Link>
  );
}

const DATA_WORDS = {
  none: 'No market data',
  live: 'Live data',
  waiting: 'Recording not begun',
  playing: 'Recorded data',
  ended: 'Recording ended',
} as const;

/** What comes from the service: the connection to it, and what its market data does. */
function Pulse() {
  const state = useSelected(({ connection }) => connection.state);
  const data = useSelected(({ connection }) => connection.marketData);
  if (state === 'lost') return <span class="pulse lost">No connection</span>;
  if (state === 'refused') return <span class="pulse lost">Not allowed</span>;
  if (state === 'connecting' || data === null) return <span class="pulse connecting">Connecting</span>;
  const isMoving = data === 'live' || data === 'playing';
  return <span class={`pulse ${isMoving ? 'open' : 'still'}`}>{DATA_WORDS[data]}</span>;
}

/** The time of the markets, once on each page. */
function TapeTime() {
  const time = useSelected(tapeTime);
  if (time === null) return null;
  return <span class="hint">Tape time of the last change {time.slice(0, 19).replace('T', ' ')}</span>;
}

function Nav() {
  const waiting = useSelected(({ known }) => [...known.approvals.values()].filter(isWaiting).length);
  return (
    <nav aria-label="Pages">
      <ul>
        {Object.entries(PAGES).map(([name, [title]]) => (
          <li key={name}>
            <Link to={name} isNav>
              {title}
              {name === 'approvals' && waiting > 0 ? <b class="count">{waiting}</b> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Why prices do not move; null where they may. */
const STILL = {
  none: null,
  live: null,
  waiting: 'The recording has not begun: prices do not move, and nothing is filled until it is played.',
  playing: null,
  ended: 'The recording has ended: prices do not move any more, nothing is filled, and strategies decide nothing.',
} as const;

/** Says that what is shown may be old. */
function Banner() {
  const lost = useSelected(({ connection, now }) => {
    const { state, heardAt } = connection;
    return state === 'lost' || now - heardAt > SILENT_MS ? ageText(now - heardAt) : null;
  });
  const reasons = useSelected(({ connection }) => connection.reasons);
  const data = useSelected(({ connection }) => connection.marketData);
  if (lost !== null)
    return (
      <p class="note bad" role="alert">
        The server has said nothing for {lost}. What you see may be old. Trying again…
      </p>
    );
  if (reasons.length > 0) return <p class="note warn">The service is not ready: {reasons.join(', ')}.</p>;
  const still = data === null ? null : STILL[data];
  return still === null ? null : <p class="note warn">{still}</p>;
}

const ANNOUNCE_MS = 5000;

/** Announces fills to those who cannot see the page, at most once in five seconds. */
function Announcer() {
  const newest = useSelected(({ known }) => known.events.find(({ type }) => type === 'order.fill'));
  const [text, setText] = useState('');
  const spokenAt = useRef(0);
  const announced = useRef(newest?.seq);
  useEffect(() => {
    if (newest === undefined || newest.seq === announced.current || Date.now() - spokenAt.current < ANNOUNCE_MS) return;
    announced.current = newest.seq;
    spokenAt.current = Date.now();
    const { order } = newest.data;
    setText(`Filled: ${order?.filled_shares} shares of ${order?.name}.`);
  }, [newest?.seq]);
  return (
    <p role="status" class="hidden">
      {text}
    </p>
  );
}
