import * as v from 'valibot';
import { type FieldError, Problem } from './problem.js';
import { shown } from './shown.js';

const MAX_ERRORS = 20;

/**
 * Parses `input` with `schema`.
 * @param root the prefix of pointers: empty for a body, `?` for a query.
 * @throws Problem validation-failed with at most 20 errors.
 */
export function validate<Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
  root: '' | '?',
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const errors = result.issues.slice(0, MAX_ERRORS).map((issue) => fieldError(issue, root));
  const first = errors[0]?.detail ?? 'is not allowed';
  const what = root === '' ? 'body' : 'query';
  throw new Problem(
    'validation-failed',
    `The ${what} has ${errors.length === 1 ? 'a value' : 'values'} that cannot be taken: ${errors[0]?.pointer ?? ''} ${first}.`,
    { errors },
  );
}

function fieldError(issue: v.BaseIssue<unknown>, root: '' | '?'): FieldError {
  const keys = (issue.path ?? []).map((item) => String(item.key));
  const pointer =
    root === '?'
      ? `?${keys.join('.')}`
      : keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { pointer: pointer.slice(0, 200), detail: wording(issue, root) };
}

/** What is expected, and what was received. Valibot's own message would quote all of it, however long. */
function wording(issue: v.BaseIssue<unknown>, root: '' | '?'): string {
  const { input } = issue;
  if (root === '?' && Array.isArray(input)) return `must be given once; it is given ${input.length} times`;
  const received = `; got ${shown(input)}`;
  switch (issue.type) {
    case 'strict_object':
      return issue.expected === 'Object' ? `${issue.message}; got ${shown(issue.path?.at(-1)?.value)}` : issue.message;
    case 'boolean':
      return `must be true or false${received}`;
    case 'array':
      return `must be an array${received}`;
    // It checks several members, and names them itself.
    case 'raw_check':
      return issue.message;
    default:
      return `${issue.message}${received}`;
  }
}
