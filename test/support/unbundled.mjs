/** Imported by what is loaded before the built server and changes modules of it: the server runs them, not their bundle. */
import { register } from 'node:module';

const modules = new URL('./program-modules.mjs', import.meta.url).href;
const resolve = `(name, context, next) => next(name === './program/program.js' ? '${modules}' : name, context)`;
register(`data:text/javascript,export const resolve = ${encodeURIComponent(resolve)};`);
