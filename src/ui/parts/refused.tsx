import { Empty, Trouble } from './figures.tsx';
import type { Reading } from './use-store.js';

/** Why something for administrators could not be read: that this key may not is no trouble. */
export function Refused(props: Pick<Reading<unknown>, 'problem' | 'status'> & { readonly what: string }) {
  const { status, problem, what } = props;
  if (status === 403) return <Empty>Only a key with the scope admin may see {what}.</Empty>;
  return <Trouble text={problem} />;
}
