/** The host gave no usable answer; `status` is null when no complete answer came. */
export interface NoAnswer {
  readonly kind: 'no_answer';
  /** In snake_case: how the call ended, or what was wrong with the answer. */
  readonly reason: string;
  readonly status: number | null;
  /** The host's own text, cleaned; empty when it gave none. */
  readonly said: string;
}

/** The result of a read. */
export type Result<T> = { readonly kind: 'ok'; readonly value: T } | NoAnswer;

/** No answer, for this reason. */
export function noAnswer(reason: string, status: number | null = null, said = ''): NoAnswer {
  return { kind: 'no_answer', reason, status, said };
}
