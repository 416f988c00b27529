import { game, linesOf, TERMS, tapeOfMarkets } from '../games.js';
import type { Transcript } from '../transcript.js';
import { everyEvent } from './automation.js';
import type { Terminal } from './commands.js';
import { type Fixture, id, ORDERS, STRATEGIES } from './fixture.js';
import { changeByHand } from './rows.js';

const FREE = { fee: { ...TERMS.fee, rate: '0' } };
const CLEARED = { ...FREE, clears_book_at_start: true };
const EVENT = { id: 'event-derby', slug: 'event-derby', title: 'The derby' };
const SET = { exclusive_set: 'pond', event: { id: 'event-pond', slug: 'event-pond', title: 'The pond' } };
/** A maker pays too, and an order is charged as a whole, up to the next cent. */
const BOTH_PAY = {
  ...TERMS.fee,
  taker_only: false,
  maker_rate: '0.02',
  rounding: { step: '0.01', to: 'up', each: 'order' },
};
/** From 0.9 on prices have finer steps, and purchases spend any amount. */
const STEPS = { ...FREE, bands: [{ from: '0.9', step: '0.001' }], quote_step: null };

/** Markets by what happens in them. */
const MARKETS = {
  /** Many are ahead in its queues, and trade. */
  crowded: game('1', 'ants-bees', {}, FREE),
  /** Its book is emptied before the game starts. */
  emptied: game('2', 'cats-dogs', {}, CLEARED),
  /** Its game starts while it is watched. */
  started: game('3', 'elks-foxes', { starts_at: '2026-03-01T12:00:40.000Z' }, CLEARED),
  makers: game('4', 'goats-hares', {}, { fee: BOTH_PAY }),
  /** It opens, is suspended, disputed, resolved and amended. */
  lived: game('5', 'ibis-jays', { status: 'upcoming' }, { ...STEPS, accepting_orders: false }),
  /** Its event is known only later. */
  unnamed: game('6', 'kites-larks', { event: null, league: null, sport: null }, FREE),
  /** Two markets of one event, which do not exclude each other. */
  winner: game('7', 'moles-newts', { event: EVENT }, FREE),
  total: game('8', 'over-under', { event: EVENT, kind: 'total', line: '2.5' }, FREE),
  /** Of these three exactly one wins; their offers are 1 together. */
  firstOfSet: game('a', 'owls-draw', { ...SET, role: 'home' }, FREE),
  secondOfSet: game('b', 'pikes-draw', { ...SET, role: 'draw' }, FREE),
  thirdOfSet: game('c', 'rooks-draw', { ...SET, role: 'away' }, FREE),
  /** It falls to the stop of a strategy. */
  falling: game('d', 'seals-toads', { sport: 'tennis', league: 'atp' }, FREE),
};
const on = (name: keyof typeof MARKETS) => linesOf(MARKETS[name]);
const LIVED = { ...TERMS, ...STEPS };
const PLAIN = { bankroll_cap: 500, stake_cap: 50 };
const STOPPING = {
  ...PLAIN,
  name: 'Stops',
  sport: 'tennis',
  automation: 'auto',
  rules: {
    match: { text: 'seals' },
    outcome: { index: 0 },
    filter: { min_odds: 1.5, max_odds: 3, side: 'BACK' },
    sizing: { method: 'flat', value: 20 },
    exit: { stop: { loss: 0.2 } },
  },
};
/** A limit keeps it from its first price, and the price that it is asked about is too far from that. */
const DRIFTING = {
  ...STOPPING,
  name: 'Drifts',
  rules: {
    ...STOPPING.rules,
    filter: { min_odds: 2.5, max_odds: 4, side: 'BACK', max_drift: 0.05 },
    exit: {},
  },
};
/** Strategies that are only asked what they would do, by what is special about each. */
const MEASURING: readonly (readonly [name: string, filter: object, more: object])[] = [
  ['Takes a spread of a cent', { max_spread: 0.01 }, {}],
  ['Wants an edge that is there', { min_edge: 0.1 }, { signal: { name: 'model' } }],
  ['Wants a larger edge', { min_edge: 0.2 }, { signal: { name: 'model' } }],
  ['Believes no wild model', {}, { signal: { name: 'wild' } }],
];
const HALF_EACH = ['0.5', '0.5'];

/** Books whose levels shrink, are traded and go, and markets that pass through every status. */
export const lifeTape = (): string =>
  tapeOfMarkets(
    Object.values(MARKETS),
    [
      on('crowded').book(
        1,
        [
          ['0.50', '100'],
          ['0.49', '200'],
        ],
        [
          ['0.55', '100'],
          ['0.60', '50'],
        ],
      ),
      on('crowded').change(5, { levels: [['bids', '0.50', '60']] }),
      on('crowded').change(10, { trade: ['0.50', '70', 'SELL'] }),
      on('crowded').change(10, { levels: [['bids', '0.50', '0']] }),
      on('crowded').change(20, { trade: ['0.55', '70', 'BUY'] }),
      on('crowded').change(20.2, { levels: [['asks', '0.55', '30']] }),
      on('crowded').change(25, { levels: [['asks', '0.55', '130']] }),
      on('emptied').book(1, side('bids'), side('asks')),
      on('emptied').change(30, {
        levels: [
          ...side('bids').map(([price]) => ['bids', price, '0']),
          ...side('asks').map(([price]) => ['asks', price, '0']),
        ],
      }),
      on('emptied').says(31, { status: 'in_play' }),
      on('emptied').book(33, [['0.45', '50']], [['0.47', '50']]),
      on('started').book(1, [['0.30', '50']], [['0.35', '50']]),
      on('started').says(41, { status: 'in_play' }),
      on('started').book(45, [['0.60', '50']], [['0.65', '50']]),
      on('makers').book(
        1,
        [
          ['0.36', '20'],
          ['0.35', '20'],
        ],
        [
          ['0.40', '30'],
          ['0.41', '50'],
        ],
      ),
      on('makers').change(12, { trade: ['0.36', '33', 'SELL'] }),
      on('makers').change(15, { trade: ['0.36', '17', 'SELL'] }),
      on('lived').book(1, [['0.88', '500']], [['0.905', '500']]),
      on('lived').says(50, { status: 'open', terms: LIVED }),
      on('lived').change(55, { tick: '0.005', bands: [{ from: '0.95', step: '0.001' }] }),
      on('lived').says(60, { status: 'suspended', terms: { ...LIVED, accepting_orders: false } }),
      on('lived').says(64, { status: 'disputed', terms: { ...LIVED, accepting_orders: false } }),
      on('lived').says(66, { status: 'resolving', terms: { ...LIVED, accepting_orders: false } }),
      on('lived').says(130, { status: 'resolved', payout: HALF_EACH, terms: null }),
      on('lived').says(200, { status: 'amended', payout: ['1', '0'], terms: null }),
      on('lived').says(280, { status: 'amended', payout: ['0', '1'], terms: null }),
      on('unnamed').book(1, [['0.58', '500']], [['0.60', '500']]),
      on('unnamed').says(35, { event: EVENT }),
      on('winner').book(1, [['0.48', '500']], [['0.50', '500']]),
      on('total').book(1, [['0.38', '500']], [['0.40', '500']]),
      on('firstOfSet').book(1, [['0.38', '500']], [['0.40', '500']]),
      on('secondOfSet').book(1, [['0.28', '500']], [['0.30', '500']]),
      on('thirdOfSet').book(1, [['0.28', '500']], [['0.30', '500']]),
      on('falling').book(
        1,
        [['0.49', '500']],
        [
          ['0.50', '30'],
          ['0.52', '500'],
        ],
      ),
      on('falling').book(350, [['0.30', '500']], [['0.32', '500']]),
      on('falling').book(420, [['0.37', '500']], [['0.38', '500']]),
      on('falling').change(530, { gap: 'connection lost' }),
      on('falling').book(800, [['0.30', '500']], [['0.32', '500']]),
      on('total').says(300, { status: 'resolved', payout: ['0', '1'] }),
    ],
    1200,
  );

/** Enough levels that no one trader has them all. */
function side(name: 'bids' | 'asks'): readonly (readonly [string, string])[] {
  return (name === 'bids' ? ['0.40', '0.39', '0.38', '0.37'] : ['0.42', '0.43', '0.44', '0.45']).map((price) => [
    price,
    '100',
  ]);
}

type Order = Readonly<Record<string, unknown>>;

/** Orders in markets in which much happens, and what becomes of them. */
export async function marketLife({ transcript, api, server }: Fixture): Promise<void> {
  const order = (market: string, token: 'YES' | 'NO', price: number, size: number, more: Order = {}) =>
    api.post(ORDERS, { market_id: market, token, price, size_usdc: size, ...more });
  const look = (placed: Order) => api.get(`${ORDERS}/${id(placed)}`);
  const fak = { time_in_force: 'FAK' };

  transcript.step('An account may spend the last of its cash');
  await server.pass(2000);
  await api.put('/v1/limits', { daily_stake_usdc: 5000 });
  const all = await order('ants-bees', 'YES', 0.4, 1000);
  await order('ants-bees', 'YES', 0.4, 2);
  await api.delete(`${ORDERS}/${id(all)}`);

  transcript.step('Orders rest behind what is displayed, and move up as others leave and trade');
  const [behind, deeper] = [await order('ants-bees', 'YES', 0.5, 20), await order('ants-bees', 'YES', 0.49, 49)];
  await order('ants-bees', 'YES', 0.55, 33, fak);
  const maker = await order('goats-hares', 'YES', 0.36, 18);
  await order('goats-hares', 'YES', 0.41, 24.6);
  await order('goats-hares', 'NO', 0.65, 9.75);
  const waits = await order('cats-dogs', 'YES', 0.4, 8);
  const early = await order('elks-foxes', 'YES', 0.3, 6);
  await order('ibis-jays', 'YES', 0.905, 9.05);
  await server.pass(9000);
  for (const one of [behind, deeper]) await look(one);
  await server.pass(5000);
  await api.get(`${ORDERS}/${id(maker)}/events`);

  transcript.step('What others trade at a level is not there for an order, and what a level grows by is');
  await server.pass(4100);
  await order('ants-bees', 'YES', 0.55, 11, fak);
  await server.pass(1000);
  await order('ants-bees', 'YES', 0.55, 11, fak);
  await server.pass(4000);
  await order('ants-bees', 'YES', 0.55, 77, fak);

  transcript.step('A market that names its event late counts with that event');
  await order('kites-larks', 'YES', 0.6, 12);
  await server.pass(8000);
  await look(waits);
  await server.pass(3000);
  await order('kites-larks', 'NO', 0.42, 4.2);
  await api.put('/v1/limits', { event_loss_usdc: 20 });
  await order('moles-newts', 'YES', 0.5, 19);
  await order('moles-newts', 'YES', 0.5, 10);
  await order('over-under', 'YES', 0.4, 16);
  await order('over-under', 'YES', 0.4, 8);
  await api.get('/v1/limits');
  await api.put('/v1/limits', { event_loss_usdc: null });

  transcript.step('A game starts, and the book is emptied');
  await order('cats-dogs', 'YES', 0.47, 4.7);
  await server.pass(9500);
  await look(early);
  await order('elks-foxes', 'YES', 0.65, 6.5);

  transcript.step('Steps of prices differ by price, and change');
  await server.pass(5500);
  for (const price of [0.885, 0.905, 0.9055]) await order('ibis-jays', 'YES', price, 10);
  const rests = await order('ibis-jays', 'YES', 0.88, 8.8);
  await server.pass(5000);
  for (const price of [0.885, 0.903]) await order('ibis-jays', 'YES', price, 8.85);

  transcript.step('A market is suspended, disputed, resolved and amended');
  for (const ms of [4000, 4000, 2000]) {
    await server.pass(ms);
    await api.get('/v1/exchange/markets/ibis-jays');
    await order('ibis-jays', 'YES', 0.9, 9);
  }
  await look(rests);
  for (const ms of [90_000, 70_000, 80_000]) {
    await server.pass(ms);
    await api.get('/v1/exchange/markets/ibis-jays');
    await api.get('/v1/portfolio');
  }
  await api.get('/v1/exchange/markets/ibis-jays/history?limit=3');
  await api.get('/v1/exchange/markets/ibis-jays/history?token=NO&from=yesterday');

  transcript.step('What lowers the worst case of a set passes while trading is reduced, and nothing else');
  for (const market of ['pikes-draw', 'rooks-draw']) await order(market, 'YES', 0.3, 30);
  await api.post('/v1/trading/state', { scope: 'account', state: 'reducing', reason: 'a look' });
  await order('owls-draw', 'YES', 0.4, 8);
  await order('moles-newts', 'YES', 0.5, 5);
  await api.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'looked' });
  const evaluated = await api.post(STRATEGIES, {
    ...PLAIN,
    name: 'Offers of a set',
    sport: 'soccer',
    rules: {
      match: { text: 'owls' },
      outcome: { index: 0 },
      filter: { min_odds: 1.1, max_odds: 10, side: 'BACK', max_overround: 0.05 },
      sizing: { method: 'flat', value: 10 },
    },
  });
  await api.post(`${STRATEGIES}/${id(evaluated)}/evaluate`, { market_id: 'owls-draw' });

  transcript.step('What strategies would decide is told by what they measure');
  const seals = (probability: number) => ({
    probabilities: { Seals: probability },
    expires_at: '2026-03-01T18:00:00Z',
  });
  await api.put('/v1/signals/model/seals-toads', seals(0.55));
  await api.put('/v1/signals/wild/seals-toads', seals(0.9));
  for (const [name, filter, more] of MEASURING) {
    const rules = { ...STOPPING.rules, exit: {}, ...more, filter: { ...STOPPING.rules.filter, ...filter } };
    const made = await api.post(STRATEGIES, { ...STOPPING, name, automation: 'off', rules });
    await api.post(`${STRATEGIES}/${id(made)}/evaluate`, { market_id: 'seals-toads' });
  }

  transcript.step('An exit that is held back raises an alarm, which ends with it');
  const stopping = await api.post(STRATEGIES, STOPPING);
  const drifting = await api.post(STRATEGIES, DRIFTING);
  await server.pass(5000);
  await api.put('/v1/limits', { order_usdc: 0.5 });
  await server.pass(40_000);
  await api.post('/v1/trading/state', { scope: 'account', state: 'halted', reason: 'a doubt' });
  await server.pass(10_000);
  await api.get(`${STRATEGIES}/${id(stopping)}/decisions/summary`);
  await server.pass(70_000);
  await api.get('/v1/alarms');
  await api.post(`${STRATEGIES}/${id(drifting)}/evaluate`, { market_id: 'seals-toads' });
  await api.post('/v1/trading/state', { scope: 'account', state: 'active', reason: 'no doubt' });
  await api.put('/v1/limits', { order_usdc: null });
  await server.pass(70_000);
  await api.get('/v1/alarms');
  await api.get(`${STRATEGIES}/${id(stopping)}/decisions`);
  await api.get(`${STRATEGIES}/${id(stopping)}/decisions/summary`);

  transcript.step('Orders of a minute are counted by the second, and a loss halts once');
  await api.put('/v1/limits', { orders_per_minute: 3 });
  for (let n = 0; n < 4; n += 1) {
    await order('moles-newts', 'YES', 0.5, 5);
    await server.pass(1500);
  }
  await order('moles-newts', 'YES', 0.48, 4.8);
  await api.put('/v1/limits', { orders_per_minute: null, daily_loss_usdc: 1 });
  for (let n = 0; n < 2; n += 1) await order('moles-newts', 'YES', 0.5, 30);
  await server.pass(5000);
  await api.get('/v1/trading/state');
  await api.get('/v1/trading/history');

  transcript.step('Books that are not fresh raise an alarm, which is told again until they are');
  for (const ms of [120_000, 60_000, 90_000, 180_000]) {
    await server.pass(ms);
    await api.get('/v1/alarms');
  }
  await counts({ transcript: transcript, api });
  await everyEvent(api);
}

/** What is counted of decisions, orders and fills. Which was counted first makes no difference. */
async function counts({ transcript, api }: Pick<Fixture, 'transcript' | 'api'>): Promise<void> {
  transcript.step('Decisions and orders are counted');
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => /^stakeport_(decisions|orders|fills)\w*_total/.test(line));
  for (const line of lines.sort()) transcript.say(line);
}

/** The audit of the books as they are, and of books that somebody changed by hand. */
export async function audits(transcript: Transcript, terminal: Terminal, path: string): Promise<void> {
  transcript.step('The books are sound');
  await terminal.run(['audit', '--json']);
  transcript.step('What was changed by hand is found');
  await changeByHand(path, [
    'update balances set cash = cash + 1',
    "update positions set wanted = 1000000 where market_id like '0x44%' and token = 'NO'",
    "update order_events set hash = 'f' || substr(hash, 2) where seq = 2 and order_id = (select min(id) from orders)",
    `delete from journal_lines where entry = (select min(entry) from journal_lines
      where order_id = (select order_id from fills group by order_id having count(*) > 1 order by order_id limit 1))`,
  ]);
  await terminal.run(['audit', '--json']);
  await terminal.run(['audit']);
}
