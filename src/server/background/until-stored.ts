import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { PaperElsewhere, StorageUnavailable } from '../../core/errors.js';
import type { ReportSink } from '../../ports/report.js';

const patiently = retry(
  handleWhen((error) => error instanceof StorageUnavailable || error instanceof PaperElsewhere),
  { maxAttempts: Number.POSITIVE_INFINITY, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 5000 }) },
);

/**
 * A sink that asks a store that does not answer, or does not hear it while a lease was not renewed, until it does: what
 * happened at a venue has to be on record. Given up once `ended` is aborted.
 */
export function untilStored(sink: ReportSink, ended?: AbortSignal): ReportSink {
  return (order, reports) => patiently.execute(() => sink(order, reports), ended);
}
