/**
 * Loaded before the built server (`NODE_OPTIONS=--import`), with the name of a program behind a question mark: the server runs
 * what `bundle-programs.ts` made of it, in place of its own bundle.
 */
import { register } from 'node:module';

const name = new URL(import.meta.url).search.slice(1);
const program = new URL(`../../dist/.cache/tested/${name}.js`, import.meta.url).href;
const resolve = `(name, context, next) => next(name === './program/program.js' ? '${program}' : name, context)`;
register(`data:text/javascript,export const resolve = ${encodeURIComponent(resolve)};`);
