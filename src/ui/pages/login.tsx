import { useState } from 'preact/hooks';
import { api, setKey } from '../net/api.js';
import { useSeen, useStore } from '../parts/use-store.js';

/** Asks for an API key: for a session where the service keeps one, for as long as this page lives where it does not. */
export function LoginPage() {
  const store = useStore();
  const hasSessions = useSeen(({ settings }) => settings.has_sessions);
  const [key, setText] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    setKey(key.trim());
    try {
      await (hasSessions ? api('/v1/session', { method: 'POST' }) : api('/v1/trading/state'));
      if (hasSessions) setKey(null);
      history.replaceState(null, '', '/ui/overview');
      store.set({ page: 'overview' });
    } catch (error) {
      setKey(null);
      setProblem(error instanceof Error ? error.message : 'The service did not answer.');
    }
  };
  return (
    <>
      <h1>Log in</h1>
      <form onSubmit={submit}>
        <label>
          API key
          <input
            type="password"
            name="key"
            autocomplete="current-password"
            value={key}
            onInput={(event) => setText(event.currentTarget.value)}
            required
          />
        </label>
        <p role="alert" class="outcome refused">
          {problem}
        </p>
        <p class="acts">
          <button type="submit" class="main">
            Log in
          </button>
        </p>
      </form>
      <p class="hint">
        <code>npx stakeport keys create</code> makes a key. Over plain http, log in on this machine only.{' '}
        <a href="/ui/halt">Halting needs no login.</a>
      </p>
    </>
  );
}
