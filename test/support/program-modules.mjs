/** What the bundle of the built server is made of: the same program, as modules. */
export { runCommandLine } from '../../dist/cli/command-line.js';
