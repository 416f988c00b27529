import type { Knex } from 'knex';

/** Keeps Knex from writing to the console: every failure reaches a caller, who has a log. */
export const QUIET: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} };
