import { VARIABLES } from './settings.js';

/** What is wrong with one variable, worded to follow its name, without its value. */
export interface Mistake {
  readonly variable: string;
  readonly problem: string;
}

/** Keeps only the first problem of each variable: a malformed one is not also missing. */
export class Review {
  readonly #problems = new Map<string, string>();

  report(variable: string, problem: string): void {
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
