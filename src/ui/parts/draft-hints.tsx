import type { WireStrategy } from '../../adapters/http/answers.js';
import { waitingOf } from '../state/reduce.js';
import { flatStakeOf, stakeBounds, valueAt } from '../state/strategy-draft.js';
import { Money } from './figures.tsx';
import { Link } from './link.tsx';
import { FieldLink, useDraft } from './rule-field.tsx';
import { useSelected } from './use-store.js';

/** What keeps a bet of the draft from being larger, and whether that is less than its stake. */
export function StakeBounds() {
  const { body } = useDraft();
  const orderLimit = useSelected(({ known }) => known.limits?.order_usdc ?? null);
  const all = stakeBounds(body, orderLimit);
  const stake = flatStakeOf(body);
  const cutting = stake === null ? [] : all.filter(({ most }) => most < stake);
  const [least] = all;
  const isCut = cutting.length > 0;
  const bounds = isCut ? cutting : all.filter((one) => one === least || one.pointer !== '/bankroll_cap');
  if (least === undefined) return null;
  return (
    <p class={isCut ? 'note warn' : 'hint'} role="status">
      {isCut ? (
        <>
          A stake of <Money value={stake} /> is made smaller:{' '}
        </>
      ) : null}
      {isCut ? 'at most' : 'At most'}{' '}
      {bounds.map(({ pointer, most }, at) => (
        <span key={pointer ?? 'account'}>
          {at === 0 ? '' : at === bounds.length - 1 ? ' and ' : ', '}
          <Money value={most} /> by{' '}
          {pointer === null ? <Link to="system">the limit of one order</Link> : <FieldLink pointer={pointer} />}
        </span>
      ))}
      .
    </p>
  );
}

/** Says what becomes of bets that wait, where the draft asks for them no longer. */
export function Withdrawn({ base }: { readonly base: WireStrategy }) {
  const { body } = useDraft();
  const count = useSelected(({ known }) => waitingOf(known.approvals, base.id).length);
  const automation = valueAt(body, ['automation']) ?? 'off';
  if (count === 0 || automation === 'approve') return null;
  return (
    <p class="note warn" role="status">
      {count === 1 ? '1 bet that waits for you is' : `${count} bets that wait for you are`} withdrawn.{' '}
      {automation === 'auto' ? 'It decides on them anew, by itself.' : 'Nothing is ordered.'}
    </p>
  );
}
