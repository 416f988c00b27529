/** What the bundle of the built server is made of: the same program, as modules. */
import 'reflect-metadata';

export { runCommandLine } from '../../dist/cli/command-line.js';
