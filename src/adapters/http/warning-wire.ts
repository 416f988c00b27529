import * as v from 'valibot';
import { means } from './schema.js';

/** Something that is allowed and surely not meant, as answers tell it. */
export const warningOut = v.object({
  pointer: means(v.string(), 'A JSON pointer to what it is about; empty where that is the whole.', '/stake_cap'),
  detail: means(v.string(), 'What follows from it, with the values that count.'),
});
