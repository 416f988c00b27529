import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { StorageUnavailable } from '../core/errors.js';
import type { ReportSink } from '../ports/report.js';

const patiently = retry(
  handleWhen((error) => error instanceof StorageUnavailable),
  { maxAttempts: Number.POSITIVE_INFINITY, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 5000 }) },
);

/** A sink that asks a store that does not answer until it does: what happened at a venue has to be on record. */
export function untilStored(sink: ReportSink): ReportSink {
  return (order, reports) => patiently.execute(() => sink(order, reports));
}
