import type { SendOutcome } from '../../ports/messenger.js';
import type { MessageProgress } from '../endpoint/person.js';

const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 600_000;
/** Whoever took nothing for five days is sent nothing more. */
const DEAD_MS = 5 * 24 * 60 * 60_000;
/** Beyond that the pause is the longest one. */
const DOUBLED_AT_MOST = 7;

/** What is to be put on record of a message. */
export interface Sent {
  readonly progress: MessageProgress;
  /** Why nothing more is sent, as a sentence; null where more is. */
  readonly disabledBecause: string | null;
  /** Whether it is done with: delivered, or never to be. */
  readonly isDone: boolean;
}

/** What follows from the outcome of a message; `failures` is how often it failed before, in a row. */
export function afterSending(progress: MessageProgress, outcome: SendOutcome, failures: number, at: Date): Sent {
  switch (outcome.kind) {
    case 'delivered':
      return done({ ...progress, heldUntil: null, failingSince: null, deliveredAt: at });
    case 'refused':
    case 'too_long': {
      const { progress: after, disabledBecause } = held(progress, outcome.because, 0, at);
      return { ...done({ ...after, heldUntil: progress.heldUntil }), disabledBecause };
    }
    case 'gone':
      return { progress, disabledBecause: `${outcome.because}.`, isDone: false };
    case 'moved':
      return held(progress, 'It moved again and again', pauseAfter(failures), at);
    case 'retry':
      return held(progress, outcome.because, outcome.afterMs ?? pauseAfter(failures), at);
  }
}

const done = (progress: MessageProgress): Sent => ({ progress, disabledBecause: null, isDone: true });

function held(before: MessageProgress, because: string, waitMs: number, at: Date): Sent {
  const failingSince = before.failingSince ?? at;
  const progress = { ...before, failingSince, heldUntil: new Date(at.getTime() + waitMs) };
  const dead =
    at.getTime() - failingSince.getTime() >= DEAD_MS ? `Nothing was delivered for five days: ${because}.` : null;
  return { progress, disabledBecause: dead, isDone: false };
}

/** 5 seconds, then twice as long each time, up to ten minutes. */
const pauseAfter = (failures: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures, DOUBLED_AT_MOST), LONGEST_PAUSE_MS);
