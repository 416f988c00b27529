import fc from 'fast-check';

const SOAK = Number(process.env['SOAK'] ?? 1);
/** How long a property is tried in `npm test`; those of `npm run test:crash` and `npm run soak` have longer. */
const BUDGET_MS = Number(process.env['PROPERTY_MS'] ?? 1000) * SOAK;

const OWN_BUDGET = Symbol('how long this property is tried');

/**
 * Ends a property when its time is up. The run that is under way goes to its end, because what is abandoned would go on beside
 * the rest of the test; and there is one at least, because a slow machine would fail a property that has none.
 */
const inTime: fc.Plugin<unknown> = (_, store) => {
  const since = performance.now();
  let isFirst = true;
  return {
    decorateRun: (run) => (value) => {
      const budgetMs = store.get<number>(OWN_BUDGET) ?? BUDGET_MS;
      if (!isFirst && performance.now() - since >= budgetMs) return new fc.PreconditionFailure(true);
      isFirst = false;
      return run(value);
    },
  };
};

// A property that fails prints its seed, with which it is tried again.
fc.installGlobalPlugin(inTime);

/** Another time for one property, in place of that of all. */
export function within<Values>(budgetMs: number): fc.Plugin<Values> {
  return (_, store) => {
    store.set(OWN_BUDGET, budgetMs);
    return {};
  };
}

/** How often a generated test runs, if its time allows: as often as in `npm test`, and `SOAK` times as often in `npm run soak`. */
export function runs(usual: number): number {
  return usual * SOAK;
}
