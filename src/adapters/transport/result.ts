/** The host gave nothing that can be used; `status` is null when no whole answer came. */
export interface NoAnswer {
  readonly kind: 'no_answer';
  /** In snake_case: how the call ended, or what was wrong with the answer. */
  readonly reason: string;
  readonly status: number | null;
  /** What the host said of it, cleaned; empty when it said nothing. */
  readonly said: string;
}

/** What a read brought. */
export type Result<T> = { readonly kind: 'ok'; readonly value: T } | NoAnswer;

/** No answer, for this reason. */
export function noAnswer(reason: string, status: number | null = null, said = ''): NoAnswer {
  return { kind: 'no_answer', reason, status, said };
}
