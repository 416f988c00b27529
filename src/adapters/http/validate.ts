import * as v from 'valibot';
import { type FieldError, Problem } from './problem.js';

const MAX_ERRORS = 20;

/**
 * What `schema` makes of `input`.
 * @param root how a pointer begins: empty for a body, `?` for a query.
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
  return { pointer: pointer.slice(0, 200), detail: wording(issue) };
}

/** Valibot's own words show what was received; ours say what is wanted, and repeat nothing of the input. */
function wording(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object') {
    if (issue.expected === 'never') return 'is not known here; check its spelling';
    return issue.expected === 'Object' ? 'must be an object' : 'is required';
  }
  if (issue.type === 'boolean') return 'must be true or false';
  if (issue.type === 'array') return 'must be an array';
  return issue.message;
}
