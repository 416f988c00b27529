import * as v from 'valibot';
import { means } from './schema.js';

/** Something that is allowed but probably a mistake, as answers show it. */
export const warningOut = v.object({
  pointer: means(v.string(), 'A JSON pointer to the value in question; empty for the whole.', '/stake_cap'),
  detail: means(v.string(), 'What follows from it, with the relevant values.'),
});
