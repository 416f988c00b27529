import { type Environment, readConfig } from '../../../src/server/settings/config.js';
import { ConfigInvalid } from '../../../src/server/settings/config-invalid.js';

/** What is wrong with an environment, as `VARIABLE problem`; nothing when it can be used. */
export function mistakes(env: Environment): string[] {
  return invalid(env)?.mistakes.map(({ variable, problem }) => `${variable} ${problem}`) ?? [];
}

export function invalid(env: Environment): ConfigInvalid | undefined {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigInvalid) return error;
    throw error;
  }
}
