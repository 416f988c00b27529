import { VARIABLES, type Variable } from './settings.js';

/** What is wrong with one variable, in words that follow its name, without its value. */
export interface Mistake {
  readonly variable: Variable;
  readonly problem: string;
}

/** The parts of a whole, as far as they could be read. */
export type Maybe<T> = { readonly [Part in keyof T]: T[Part] | undefined };

/** Keeps the first problem of each variable: one that is malformed is not also missing. */
export class Review {
  readonly #problems = new Map<Variable, string>();

  report(variable: Variable, problem: string): void {
    if (!this.#problems.has(variable)) this.#problems.set(variable, problem);
  }

  /** In the order of the table. */
  get mistakes(): readonly Mistake[] {
    return VARIABLES.flatMap((variable) => {
      const problem = this.#problems.get(variable);
      return problem === undefined ? [] : [{ variable, problem }];
    });
  }
}

/** The whole, when no part of it is missing. */
export function complete<T extends object>(parts: Maybe<T>): T | undefined {
  return Object.values(parts).every((part) => part !== undefined) ? (parts as T) : undefined;
}
