import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import { PaperElsewhere, StorageUnavailable } from '../../core/errors.js';
import type { ReportSink } from '../../ports/report.js';

const patiently = retry(
  handleWhen((error) => error instanceof StorageUnavailable || error instanceof PaperElsewhere),
  { maxAttempts: Number.POSITIVE_INFINITY, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 5000 }) },
);

/**
 * A sink that retries while the store does not answer, or refuses because a lease was not renewed: what happened at a venue
 * has to be on record. Gives up once `ended` is aborted.
 */
export function untilStored(sink: ReportSink, ended?: AbortSignal): ReportSink {
  return (order, reports) => patiently.execute(() => sink(order, reports), ended);
}
