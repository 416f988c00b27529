type Body = Readonly<Record<string, unknown>>;

/** What the document cannot say of a strategy in a schema, and it is refused for all the same. */
export const RULES_BEYOND_SCHEMA: Readonly<Record<string, (body: Body) => boolean>> = {
  'min_odds is at most max_odds': (body) => {
    const { min_odds, max_odds } = part(body, 'filter');
    return min_odds !== undefined && max_odds !== undefined && Number(min_odds) > Number(max_odds);
  },
  'a fraction is at most 1': (body) => {
    const { method, value } = part(body, 'sizing');
    return FRACTIONS.includes(String(method)) && Number(value) > 1;
  },
  'dutch divides the stake among outcomes that it backs': (body) => {
    const { outcome = 'each' } = rulesIn(body);
    return part(body, 'sizing')['method'] === 'dutch' && (part(body, 'filter')['side'] === 'LAY' || outcome !== 'each');
  },
  'reference_edge is for edge_proportional': (body) => {
    const { method, reference_edge } = part(body, 'sizing');
    return reference_edge !== undefined && method !== 'edge_proportional';
  },
  'a rule lasts at most 3650 days': (body) => timesIn(body).some((text) => Math.abs(secondsIn(text) ?? 0) > LONGEST_S),
  'a window ends after it begins': (body) => {
    const [from, to] = ['from', 'to'].map((name) => secondsIn(part(body, 'window')[name]));
    return from !== undefined && to !== undefined && from >= to;
  },
  'a profit is taken above the stop': (body) => {
    const { take_profit: profit, stop } = part(body, 'exit');
    const [up, down] = [profit, stop].map((at) => (at as Body | undefined)?.['price']);
    return up !== undefined && down !== undefined && Number(up) <= Number(down);
  },
  'a strategy that trades by itself names what it bets on': (body) => {
    return isAutomated(body) && rulesIn(body)['outcome'] === undefined;
  },
  'an edge needs the signal that gives the probability': (body) => {
    const [edge, below] = [part(body, 'filter')['min_edge'] ?? undefined, part(body, 'exit')['edge_below']];
    const needs =
      NEED_SIGNAL.includes(String(part(body, 'sizing')['method'])) || edge !== undefined || below !== undefined;
    return isAutomated(body) && needs && rulesIn(body)['signal'] === undefined;
  },
};

const FRACTIONS = ['fixed_fraction', 'kelly', 'edge_proportional'];
const NEED_SIGNAL = ['kelly', 'edge_proportional'];
const isAutomated = ({ automation, rules }: Body) =>
  automation !== undefined && automation !== 'off' && rules !== undefined;

const rulesIn = ({ rules = {} }: Body): Body => rules as Body;
const part = (body: Body, name: string): Body => (rulesIn(body)[name] ?? {}) as Body;

function timesIn(body: Body): unknown[] {
  const named = Object.values(part(body, 'window')).concat(part(body, 'filter')['max_book_age']);
  const { before_start, after } = part(body, 'exit');
  return [...named, part(body, 'limits')['cooldown'], part(body, 'order')['give_up_after'], before_start, after];
}

const DURATION = /^-?(0|[1-9][0-9]{0,8})[smhd]$/;
const LONGEST_S = 315_360_000;
const SECONDS = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

function secondsIn(text: unknown): number | undefined {
  if (typeof text !== 'string' || !DURATION.test(text)) return undefined;
  return Number.parseInt(text, 10) * (SECONDS.get(text.slice(-1)) ?? 0);
}
