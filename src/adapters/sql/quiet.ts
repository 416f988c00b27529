import type { Knex } from 'knex';

/** Keeps Knex from writing to the console: every failure reaches a caller, which has a log. */
export const QUIET: Knex.Logger = { warn() {}, error() {}, deprecate() {}, debug() {} };
