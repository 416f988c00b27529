/** Whether the next bet may be made: when all conditions are true, or only after one was false. */
type Readiness = { readonly name: 'armed' } | { readonly name: 'disarmed' };

/**
 * Whether a strategy may bet on an outcome while no bet is being placed. `disarmed`: it has bet, and waits for a condition to be
 * false. `done`: the version in force can bet no more; another version goes on with `next`.
 */
export type RestingState = Readiness | { readonly name: 'done'; readonly next: Readiness };

/**
 * A bet on an outcome, and what comes after it. `placing`: it is being put on record, and all conditions have been true since;
 * `interrupted`: one of them was false meanwhile; `placed`: what is on record is known. `next` is the state that follows.
 */
export type BetState =
  | RestingState
  | { readonly name: 'placing' | 'interrupted' | 'placed'; readonly next: RestingState };

/** What happens to a bet. `recorded`: how many bets on the outcome are on record is known. */
export type BetStep =
  | { readonly type: 'condition_false' | 'begun' | 'ended' | 'rules_changed' | 'paper_reset' }
  | { readonly type: 'recorded'; readonly isNew: boolean; readonly isLast: boolean };

/** May bet as soon as all conditions are true: each strategy, before its first bet. */
export const ARMED: Readiness = { name: 'armed' };
const DISARMED: Readiness = { name: 'disarmed' };
const DONE = {
  armed: { name: 'done', next: ARMED },
  disarmed: { name: 'done', next: DISARMED },
} as const satisfies Record<string, RestingState>;

/** The state after a step. Most strategies stay armed, and the states without a bet are shared by all. */
export function stepBet(state: BetState, step: BetStep): BetState {
  switch (step.type) {
    case 'condition_false':
      return afterFalse(state);
    case 'begun':
      return { name: 'placing', next: restingOf(state) };
    case 'recorded':
      return afterRecord(state, step);
    case 'ended':
      return restingOf(state);
    case 'rules_changed':
      return withNext(state, readinessOf(state));
    case 'paper_reset':
      return withNext(state, ARMED);
  }
}

/** True while a bet is being put on record. */
export const isPlacing = ({ name }: BetState): boolean => PLACING[name];

/** True where the next bet is made as soon as all conditions are true. */
export const isArmed = (state: BetState): boolean => readinessOf(state).name === 'armed';

/** True once the version in force can bet no more on the outcome. */
export const isDone = (state: BetState): boolean => restingOf(state).name === 'done';

const PLACING: Readonly<Record<BetState['name'], boolean>> = {
  armed: false,
  disarmed: false,
  done: false,
  placing: true,
  interrupted: true,
  placed: true,
};

function restingOf(state: BetState): RestingState {
  switch (state.name) {
    case 'armed':
    case 'disarmed':
    case 'done':
      return state;
    default:
      return state.next;
  }
}

function readinessOf(state: BetState): Readiness {
  const resting = restingOf(state);
  return resting.name === 'done' ? resting.next : resting;
}

/** The state that has `next` once the bet that is being placed, if there is one, has ended. */
function withNext(state: BetState, next: RestingState): BetState {
  switch (state.name) {
    case 'armed':
    case 'disarmed':
    case 'done':
      return next;
    default:
      return { name: state.name, next };
  }
}

function afterFalse(state: BetState): BetState {
  const next = isDone(state) ? DONE.armed : ARMED;
  return state.name === 'placing' ? { name: 'interrupted', next } : withNext(state, next);
}

/** A new bet disarms, unless a condition was false since it was begun. */
function afterRecord(state: BetState, { isNew, isLast }: { isNew: boolean; isLast: boolean }): BetState {
  const afterNew = state.name === 'interrupted' ? ARMED : DISARMED;
  const readiness = isNew ? afterNew : readinessOf(state);
  const next = isLast ? DONE[readiness.name] : readiness;
  return isPlacing(state) ? { name: 'placed', next } : next;
}
