import type { TestProject } from 'vitest/node';
import { build } from './build.js';
import { startPostgres } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's connection to the one Postgres of this run. */
    readonly postgresUrl: string;
    /** The compiler's output when `dist/` could not be built; empty when it was. */
    readonly buildFailure: string;
  }
}

/** Builds `dist/` and starts the one Postgres of this run. Without a Postgres the run fails: nothing is ever skipped. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [postgres, buildFailure] = await Promise.all([startPostgres(process.env['TEST_POSTGRES_URL']), build()]);
  project.provide('postgresUrl', postgres.url);
  project.provide('buildFailure', buildFailure);
  return () => postgres.stop();
}
