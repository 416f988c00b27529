import { useEffect, useRef } from 'preact/hooks';
import { IDLE_MS, WARN_END_MS, WARN_IDLE_MS } from '../net/page-login.js';
import { Act } from './act.tsx';
import { useLogin, useSelected } from './use-store.js';

/** Says that the session is about to end, and lets it go on with one act. */
export function SessionEnd() {
  const isIdle = useSelected(({ session, now }) => session !== null && now - session.usedAt > IDLE_MS - WARN_IDLE_MS);
  const isOld = useSelected(({ session, now }) => session !== null && session.endsAt - now < WARN_END_MS);
  return (
    <>
      {isIdle ? <IdleWarning /> : null}
      <EndWarning isOld={isOld} />
    </>
  );
}

function IdleWarning() {
  const login = useLogin();
  const dialog = useRef<HTMLDialogElement>(null);
  const left = useSelected((state) => clockText((state.session?.usedAt ?? 0) + IDLE_MS - state.now));
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} role="alertdialog" aria-label="Are you still there?" onClose={() => login.goOn()}>
      <h2>Are you still there?</h2>
      <p>
        Nobody used this page for a while. The session ends in <b role="timer">{left}</b>.
      </p>
      <p class="acts">
        <button type="button" class="main" onClick={() => login.goOn()}>
          Go on
        </button>
        <button type="button" onClick={() => login.logOut()}>
          Log out
        </button>
      </p>
    </dialog>
  );
}

function EndWarning({ isOld }: { readonly isOld: boolean }) {
  const endsAt = useSelected(({ session }) => session?.endsAt ?? 0);
  return (
    <>
      {isOld ? (
        <p class="note warn" role="alert">
          This session ends at {new Date(endsAt).toISOString().slice(11, 16)}, however much it is used.
        </p>
      ) : null}
      <Act
        label="Go on with the key"
        confirm="Begin a new session"
        isOffered={isOld}
        asksKey
        send={() => Promise.resolve()}
        outcome={() => 'A new session has begun.'}
      >
        <p>The key begins a new session in place of this one. Nothing else changes.</p>
      </Act>
    </>
  );
}

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
