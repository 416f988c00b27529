import fc, { type Arbitrary } from 'fast-check';

/** What a request is up to. */
export type Intention =
  /** An order on paper, which says so or says nothing. */
  | 'paper order'
  /** An order that says something else than `true` or `false`, somewhere. */
  | 'garbled order'
  /** Real money under a strategy that is paper only. */
  | 'forbidden order'
  /** Any change of a strategy that has no orders for real money. */
  | 'free patch'
  /** A change that leaves a strategy paper only. */
  | 'patch'
  /** A change that would let a strategy trade with real money, if it were not refused. */
  | 'refused patch'
  | 'strange patch'
  | 'pause'
  | 'resume'
  | 'strategy'
  | 'cancellation'
  /** An earlier request once more, to the byte. */
  | 'repeat';

/** A request that must never reach a real exchange. */
export interface PaperRequest {
  readonly intention: Intention;
  /** Chooses among the records that there are when it is sent. */
  readonly pick: number;
  /** Under which strategy an order is placed. */
  readonly under: 'guarded' | 'free' | 'none';
  /** Members of its body, as they are written. */
  readonly members: readonly string[];
  /** The body, where `$` stands for the object with the members. */
  readonly frame: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SAYS_PAPER = ['', '"paper":true', '"\\u0070aper":true', '"paper"\n:\ttrue'];
const SAYS_LIVE = ['"paper":false', '"\\u0070aper":false', '"paper"\n:\tfalse'];

const GARBLED = [
  '"false"',
  '"FALSE"',
  '"true"',
  '""',
  '"no"',
  '"0"',
  '0',
  '-0',
  '0.0',
  '1',
  'null',
  '[]',
  '[false]',
  '{}',
  '{"paper":false}',
  'False',
  'FALSE',
  '!1',
  'falsey',
  'undefined',
  "'false'",
  '\\u0066alse',
  'false.0',
  '',
].map((value) => `"paper":${value}`);

const MISNAMED = [
  'Paper',
  'PAPER',
  'paper ',
  ' paper',
  'paper\\u0000',
  '\u0440aper',
  'p\u200baper',
  'is_paper',
  'paper_only',
  '"paper',
  'paper[]',
  'body.paper',
  '__proto__',
].map((name) => `"${name}":false`);

const SMUGGLED = [
  '"paper":true,"paper":false',
  '"paper":false,"paper":true',
  '"paper":true,"\\u0070aper":false',
  '"order":{"paper":false}',
  '"__proto__":{"paper":false}',
  '"constructor":{"prototype":{"paper":false}}',
  "'paper':false",
  'paper:false',
  '"live":true',
  '"mode":"live"',
  '"paper":true,"live":true',
  '/**/"paper":false',
];

const FRAMES = ['[$]', '{"order":$}', '[$,$]', '$$', '{"__proto__":$}', '$,'];

const REFUSED_PATCHES = [
  ...['"false"', '0', 'null', '"no"', '[false]', '{}', 'False'].map((value) => `"paper_only":${value}`),
  '"paper_only":true,"paper_only":false',
  '"paper_only":false,"paper_only":true',
  '"Paper_only":false',
  '"paper_only":false,"stake_cap":-1',
  '"paper_only":false,"sport":"golf"',
  '"paper_only":false,"rules":null',
  '"__proto__":{"paper_only":false}',
  '"paper":false',
  '"paperOnly":false',
];

const HARMLESS = ['"is_paused":true', '"is_paused":false', '"name":null', '"name":"Away wins"', '"stake_cap":40'];
const OPENING = [
  '"paper_only":false',
  '"paper_only":true',
  '"paper_only":false,"is_paused":false',
  '"paper_only":false',
];
const STRATEGY = [
  '"name":"Home favourites"',
  '"sport":"soccer"',
  '"bankroll_cap":500000',
  '"stake_cap":50',
  '"rules":{"sizing":{"method":"flat","value":1}}',
];

const cents = (most: number) => fc.integer({ min: 1, max: most }).map((value) => value / 100);
const LIFETIMES = ['', '"time_in_force":"FOK"', '"time_in_force":"FAK"', '"post_only":true'];
const GTD = '"time_in_force":"GTD","expires_at":"2100-01-01T00:00:00Z"';

/** What an order says beside `paper`. */
const terms = fc
  .record({
    outcome: fc.constantFrom('YES', 'NO'),
    price: cents(99),
    size: cents(5000),
    side: fc.constantFrom('', '"side":"BUY"', '"side":"SELL"'),
    lifetime: fc.constantFrom(...LIFETIMES, GTD),
  })
  .map(({ outcome, price, size, side, lifetime }) => [
    '"market_id":"will-it-rain"',
    `"token":"${outcome}"`,
    `"price":${price}`,
    `"size_usdc":${size}`,
    side,
    lifetime,
  ]);

const inAnyOrder = (members: readonly string[]) =>
  fc.shuffledSubarray([...members], { minLength: members.length, maxLength: members.length });

const orders = (says: Arbitrary<string>) =>
  fc.tuple(terms, says).chain(([members, said]) => inAnyOrder([...members, said]));

const saying = (words: readonly string[]) => fc.constantFrom(...words);
const alone = (words: readonly string[]) => saying(words).map((one) => [one]);

const someKey = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 300 }).map((n) => ({ 'idempotency-key': `key-${n}` })) },
);
const noise = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom({ 'x-paper': 'false' }, { 'x-live': 'on' }, { 'x-dev-user': 'trader' }) },
);
const headers = fc.tuple(someKey, noise).map((parts): Record<string, string> => Object.assign({}, ...parts));

type Kind = Partial<{ [Part in keyof PaperRequest]: Arbitrary<PaperRequest[Part]> }>;

const of = (intention: Intention, kind: Kind = {}): Arbitrary<PaperRequest> =>
  fc.record(
    {
      intention: fc.constant(intention),
      pick: fc.nat(),
      under: fc.constant('none' as const),
      members: fc.constant([]),
      frame: fc.constant('$'),
      query: fc.constant(''),
      headers,
      ...kind,
    },
    { noNullPrototype: true },
  );

const under = fc.constantFrom('guarded' as const, 'free' as const, 'none' as const);
const query = fc.constantFrom('', '', '?paper=false', '?paper=false&live=true');
const anyOpening = fc.subarray([...HARMLESS.slice(2)], { maxLength: 1 });
const stale = fc.constantFrom({ 'if-match': '"0"' }, { 'if-match': '"1000000"' });

/** Requests in which `paper` is absent or true, or not a boolean, or the strategy is paper only. */
export const paperRequests: Arbitrary<PaperRequest> = fc.oneof(
  { weight: 10, arbitrary: of('paper order', { members: orders(saying(SAYS_PAPER)), under, query }) },
  {
    weight: 8,
    arbitrary: of('garbled order', { members: orders(saying([...GARBLED, ...MISNAMED, ...SMUGGLED])), under }),
  },
  {
    weight: 2,
    arbitrary: of('garbled order', { members: orders(saying(SAYS_LIVE)), under, frame: fc.constantFrom(...FRAMES) }),
  },
  {
    weight: 8,
    arbitrary: of('forbidden order', { members: orders(saying(SAYS_LIVE)), under: fc.constant('guarded') }),
  },
  {
    weight: 4,
    arbitrary: of('free patch', {
      members: fc.tuple(saying(OPENING), anyOpening).map(([first, more]) => [first, ...more]),
    }),
  },
  { weight: 2, arbitrary: of('patch', { members: alone([...HARMLESS, '"paper_only":true', '']) }) },
  { weight: 3, arbitrary: of('refused patch', { members: alone(REFUSED_PATCHES) }) },
  { weight: 1, arbitrary: of('refused patch', { members: alone(['"paper_only":false']), headers: stale }) },
  { weight: 1, arbitrary: of('strange patch', { members: alone(['"paper_only":false']) }) },
  { weight: 1, arbitrary: of('pause') },
  { weight: 2, arbitrary: of('resume') },
  {
    weight: 1,
    arbitrary: of('strategy', { members: saying(['', '"paper_only":true']).map((one) => [...STRATEGY, one]) }),
  },
  { weight: 3, arbitrary: of('cancellation') },
  { weight: 4, arbitrary: of('repeat') },
);
