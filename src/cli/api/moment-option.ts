import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../server/settings/duration.js';

const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * A moment as given on the command line, as the API takes it. No duration: a command that is repeated with its key must ask
 * for the same. @throws InvalidArgumentError in words
 */
export function momentOption(text: string): string {
  if (MOMENT.test(text) && !Number.isNaN(Date.parse(text))) return text.replace(' ', 'T');
  throw new InvalidArgumentError('It takes a moment with its zone, such as 2026-12-05T15:00:00Z.');
}

/** A moment, or a day of UTC for its beginning. @throws InvalidArgumentError in words */
export function dayOrMomentOption(text: string): string {
  const midnight = `${text}T00:00:00Z`;
  if (MOMENT.test(midnight) && !Number.isNaN(Date.parse(midnight))) return midnight;
  if (MOMENT.test(text)) return momentOption(text);
  throw new InvalidArgumentError('It takes a day such as 2026-01-01, or a moment such as 2026-01-01T00:00:00+01:00.');
}

/** A moment, or so long from now. @throws InvalidArgumentError in words */
export function momentOrDurationOption(text: string): string {
  if (MOMENT.test(text)) return momentOption(text);
  try {
    return new Date(Date.now() + parseDuration(text)).toISOString();
  } catch {
    throw new InvalidArgumentError(
      'It takes a moment such as 2026-12-05T15:00:00Z, or so long from now: 30m, 2h or 7d.',
    );
  }
}
