import fc from 'fast-check';

const SOAK = Number(process.env['SOAK'] ?? 1);
/** How long a property is tried in `npm test`; those of `npm run test:crash` and `npm run soak` have longer. */
const BUDGET_MS = Number(process.env['PROPERTY_MS'] ?? 1500) * SOAK;

// A property that fails prints its seed, with which it is tried again.
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: BUDGET_MS });

/** How often a generated test runs, if its time allows: as often as in `npm test`, and `SOAK` times as often in `npm run soak`. */
export function runs(usual: number): number {
  return usual * SOAK;
}
