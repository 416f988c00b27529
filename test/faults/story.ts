import fc from 'fast-check';
import {
  answers,
  breaksJson,
  type Fault,
  hangsUp,
  passes,
  refuses,
  refusesSilently,
  renumbers,
  resetsAfter,
  resetsInAnswer,
  restates,
  showsPage,
  stringifies,
  throttles,
} from '../support/fake-venue/faults.js';
import { REFUSALS } from '../support/fake-venue/refusals.js';

const EMPTY = { data: [], next_cursor: 'LTE=' };

/**
 * What can go wrong with an answer while the venue itself reports no falsehood. None hangs, which would take a limit of time
 * to end.
 */
const MISHAPS = {
  acts_and_hangs_up: hangsUp(),
  hangs_up: hangsUp({ acts: false }),
  resets_in_request: resetsAfter(100),
  acts_and_resets: resetsInAnswer(),
  resets: resetsInAnswer({ acts: false }),
  acts_and_breaks_json: breaksJson(),
  breaks_json: breaksJson({ acts: false }),
  acts_and_shows_page: showsPage(),
  shows_page: showsPage(502, { acts: false }),
  acts_and_fails: answers(500, { error: 'internal error' }, {}, { acts: true }),
  fails: answers(500, { error: 'could not insert order' }),
  throttles: throttles('0'),
  restarting: refuses(REFUSALS.restarting()),
  disabled: refuses(REFUSALS.disabled()),
  says_no_without_why: refusesSilently(),
  acts_and_says_no_without_why: refusesSilently({ acts: true }),
  key_unknown: refuses(REFUSALS.key()),
  numbers: renumbers('numbers'),
  digits: renumbers('digits'),
  texts: stringifies(),
  unknown_status: restates(() => 'PONDERING'),
} as const satisfies Readonly<Record<string, Fault>>;

export type Mishap = keyof typeof MISHAPS | 'none' | 'late' | 'empty';

/** The fault of this name; `late` is the stage's: the request waits at the venue until a later step. */
export function faultOf(mishap: Exclude<Mishap, 'late'>): Fault {
  if (mishap === 'none') return passes();
  return mishap === 'empty' ? answers(200, EMPTY) : MISHAPS[mishap];
}

const ALL = Object.keys(MISHAPS) as (keyof typeof MISHAPS)[];

/** One thing that happens. `pick` chooses the order or the trade that it is about. */
export type Step =
  | {
      readonly type: 'place';
      readonly side: 'BUY' | 'SELL';
      readonly token: 0 | 1;
      readonly cents: number;
      readonly lots: number;
      readonly timeInForce: 'GTC' | 'GTD' | 'FOK' | 'FAK';
      readonly postOnly: boolean;
      /** The same number is the same request with the same key. */
      readonly again: boolean;
      readonly mishaps: readonly Mishap[];
    }
  | { readonly type: 'cancel'; readonly pick: number; readonly mishap: Mishap }
  | {
      readonly type: 'offer';
      readonly side: 'BUY' | 'SELL';
      readonly token: 0 | 1;
      readonly cents: number;
      readonly size: number;
    }
  | { readonly type: 'settle'; readonly pick: number; readonly to: 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED' }
  | { readonly type: 'pass'; readonly seconds: number }
  | { readonly type: 'look' }
  | { readonly type: 'sweep' }
  | { readonly type: 'blind'; readonly endpoint: (typeof READS)[number]; readonly mishaps: readonly Mishap[] }
  | { readonly type: 'hours'; readonly hours: (typeof HOURS)[number] }
  | { readonly type: 'arrive' }
  | { readonly type: 'restart' }
  | { readonly type: 'die'; readonly calls: number; readonly after: boolean }
  /** What the stream has sent since: received, received twice, or lost. */
  | { readonly type: 'hear'; readonly most: number; readonly how: 'once' | 'twice' | 'backwards' | 'never' }
  | { readonly type: 'operator'; readonly act: 'halt' | 'release' | 'disable' | 'enable' }
  | { readonly type: 'together'; readonly steps: readonly Step[] };

const READS = ['GET /data/order/', 'GET /data/orders', 'GET /data/trades'] as const;
const HOURS = ['normal', 'restarting', 'disabled', 'cancel-only', 'post-only'] as const;

const pick = fc.nat({ max: 9 });
const sides = fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const);
const tokens = fc.constantFrom(0 as const, 0 as const, 0 as const, 1 as const);
const cents = fc.integer({ min: 45, max: 55 });
const mishap: fc.Arbitrary<Mishap> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('none' as const) },
  { weight: 12, arbitrary: fc.constantFrom(...ALL) },
);
const placing: fc.Arbitrary<readonly Mishap[]> = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(mishap) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('restarting' as const, 'throttles' as const), mishap) },
  { weight: 1, arbitrary: fc.constant(['late'] as const) },
);

const place = fc.record({
  type: fc.constant('place' as const),
  side: sides,
  token: tokens,
  cents,
  lots: fc.integer({ min: 500, max: 3000 }),
  timeInForce: fc.constantFrom(
    'GTC' as const,
    'GTC' as const,
    'GTC' as const,
    'GTD' as const,
    'FOK' as const,
    'FAK' as const,
  ),
  postOnly: fc.nat({ max: 7 }).map((n) => n === 0),
  again: fc.nat({ max: 5 }).map((n) => n === 0),
  mishaps: placing,
});
const cancel = fc.record({ type: fc.constant('cancel' as const), pick, mishap });
const offer = fc.record({
  type: fc.constant('offer' as const),
  side: fc.constantFrom('BUY' as const, 'SELL' as const),
  token: tokens,
  cents,
  size: fc.integer({ min: 1, max: 30 }),
});
const settle = fc.record({
  type: fc.constant('settle' as const),
  pick,
  to: fc.constantFrom('MINED' as const, 'CONFIRMED' as const, 'RETRYING' as const, 'FAILED' as const),
});
const just = <T extends Step>(step: T) => fc.constant(step);
const look = just({ type: 'look' });
const sweep = just({ type: 'sweep' });
const pass = fc.record({ type: fc.constant('pass' as const), seconds: fc.constantFrom(1, 5, 20, 40, 130, 400) });
const blind = fc.record({
  type: fc.constant('blind' as const),
  endpoint: fc.constantFrom(...READS),
  mishaps: fc.array(
    fc.oneof({ weight: 2, arbitrary: mishap }, { weight: 1, arbitrary: fc.constant('empty' as const) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
});
const die = fc.record({
  type: fc.constant('die' as const),
  calls: fc.integer({ min: 1, max: 5 }),
  after: fc.boolean(),
});
const hear = fc.record({
  type: fc.constant('hear' as const),
  most: fc.integer({ min: 1, max: 9 }),
  how: fc.constantFrom('once' as const, 'once' as const, 'twice' as const, 'backwards' as const, 'never' as const),
});
const act = fc.constantFrom('halt' as const, 'release' as const, 'disable' as const, 'enable' as const);

const single: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: place },
  { weight: 5, arbitrary: cancel },
  { weight: 7, arbitrary: offer },
  { weight: 5, arbitrary: settle },
  { weight: 4, arbitrary: pass },
  { weight: 4, arbitrary: look },
  { weight: 4, arbitrary: sweep },
);
const together = fc.record({
  type: fc.constant('together' as const),
  steps: fc.array(single, { minLength: 2, maxLength: 3 }),
});

/** A step of a story. */
export const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 40, arbitrary: single },
  { weight: 5, arbitrary: together },
  { weight: 3, arbitrary: blind },
  { weight: 2, arbitrary: fc.constantFrom(...HOURS).map((hours): Step => ({ type: 'hours', hours })) },
  { weight: 2, arbitrary: just({ type: 'arrive' }) },
  { weight: 2, arbitrary: just({ type: 'restart' }) },
  { weight: 4, arbitrary: die },
  { weight: 5, arbitrary: hear },
  { weight: 1, arbitrary: act.map((what): Step => ({ type: 'operator', act: what })) },
);

/** How the venue behaves throughout, where that is not known for certain, and what happens there. */
export const aStory = fc.record({
  habits: fc.record({
    buySpends: fc.constantFrom('shares' as const, 'dollars' as const),
    movesWhen: fc.constantFrom('matched' as const, 'mined' as const),
    hashesAtMatch: fc.boolean(),
    killedSize: fc.constantFrom('' as const, '0' as const),
  }),
  reads: fc.record({
    remembersEnded: fc.boolean(),
    missing: fc.constantFrom('null' as const, '404' as const),
    listsEndedById: fc.boolean(),
    pageSize: fc.constantFrom(1, 2, 100),
  }),
  charges: fc.boolean(),
  /** Whether the trades still under way at the end are confirmed. */
  confirms: fc.boolean(),
  steps: fc.array(aStep, { minLength: 4, maxLength: 30 }),
});

export type Story = typeof aStory extends fc.Arbitrary<infer T> ? T : never;
