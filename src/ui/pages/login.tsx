import { useState } from 'preact/hooks';
import { ApiRefusal } from '../net/api.js';
import { KeyField } from '../parts/key-field.tsx';
import { pageAddressOf } from '../parts/link.tsx';
import { useLogin, useSelected, useStore } from '../parts/use-store.js';

/** Asks for an API key: for a session where the service keeps one, for as long as this page lives where it does not. */
export function LoginPage() {
  const store = useStore();
  const login = useLogin();
  const ended = useSelected((state) => state.ended);
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    setProblem('');
    try {
      await login.logIn(key.trim());
      if (pageAddressOf(location).page === 'login') history.replaceState(null, '', '/ui/overview');
      store.set(pageAddressOf(location));
    } catch (error) {
      setProblem(problemText(error));
    }
  };
  return (
    <>
      <h1>Log in</h1>
      {ended === null ? null : (
        <p class="note" role="status">
          {ended}
        </p>
      )}
      <form onSubmit={submit}>
        <KeyField value={key} onKey={setKey} />
        <p role="alert" class="outcome refused">
          {problem}
        </p>
        <p class="acts">
          <button type="submit" class="main">
            Log in
          </button>
        </p>
      </form>
      <Advice />
    </>
  );
}

function problemText(error: unknown): string {
  if (!(error instanceof ApiRefusal)) return 'The service did not answer. Try again.';
  return error.status === 401 ? 'The service does not know this key, or it was revoked or has expired.' : error.message;
}

function Advice() {
  const hasSessions = useSelected(({ settings }) => settings.has_sessions);
  return (
    <>
      {isSecureContext ? null : (
        <p class="note warn">
          This page came over plain http from another machine. Browsers keep no session there: use https, or a tunnel to
          127.0.0.1.
        </p>
      )}
      <p class="hint">
        <code>npx stakeport keys create</code> makes a key.{' '}
        {hasSessions
          ? 'The session ends after 30 minutes in which nobody uses it, after 12 hours in any case, and with its key.'
          : 'This page keeps it in its memory: a reload asks again.'}{' '}
        <a href="/ui/halt">Halting takes a key too, and no JavaScript.</a>
      </p>
    </>
  );
}
