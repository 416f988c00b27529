import * as v from 'valibot';
import { EVENT_TYPES, type EventType } from '../../core/ledger/event-log.js';
import { describe, severalOf } from './schema.js';

const SEQ = /^(0|[1-9][0-9]{0,14})$/;
const NOT_SEQ = 'must be the seq of an event, or 0';

/** The number of an event, as the text that it is on the wire. */
export const seqText = v.pipe(v.string('must be given once'), v.regex(SEQ, NOT_SEQ), v.transform(Number));

/** `?after=` of a page. */
export const after = describe(seqText, {
  type: 'string',
  pattern: SEQ.source,
  description: 'Only events after this `seq`; absent: from the oldest that is kept.',
});

/** `?before=` of a page that is newest first. */
export const beforeOrHead = describe(v.union([v.literal('head'), seqText], `${NOT_SEQ}, or head`), {
  type: 'string',
  pattern: `${SEQ.source}|^head$`,
  description: 'Newest first: only events before this `seq`, or with `head` from the last one on. Not beside `after`.',
});

/** `?after=` of a stream. */
export const afterOrHead = describe(v.union([v.literal('head'), seqText], `${NOT_SEQ}, or head`), {
  type: 'string',
  pattern: `${SEQ.source}|^head$`,
  description:
    'Only events after this `seq`, or with `head` only those from now on; absent: from the oldest that is kept. The header `last-event-id` wins over it.',
});

/** `?types=`, of pages and streams. */
export const types = describe(severalOf<EventType>(EVENT_TYPES, 'types of events'), {
  type: 'string',
  description: 'Only events of these types, separated by commas: those of the answer.',
});
