import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { AuthScope } from '../../core/access/principal.js';
import { ApiRefusal } from '../net/api.js';
import type { PageLogin } from '../net/page-login.js';
import { type MoneyNames, moneyNames, type UiState, type UiStore } from '../net/ui-store.js';

/** The one store of the page. */
export const StoreContext = createContext<UiStore | null>(null);

/** The store. @throws Error outside of the app */
export function useStore(): UiStore {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('there is no store here');
  return store;
}

/** Who is logged in. */
export const LoginContext = createContext<PageLogin | null>(null);

/** Logs in and out. @throws Error outside of the app */
export function useLogin(): PageLogin {
  const login = useContext(LoginContext);
  if (login === null) throw new Error('there is no login here');
  return login;
}

/** A part of the state; the component is drawn anew when that part is another one. */
export function useSelected<Part>(pick: (state: UiState) => Part): Part {
  const store = useStore();
  const [, redraw] = useState(0);
  const picked = pick(store.state);
  const last = useRef({ pick, picked });
  last.current = { pick, picked };
  useEffect(
    () =>
      store.subscribe(() => {
        if (last.current.pick(store.state) !== last.current.picked) redraw((count) => count + 1);
      }),
    [store],
  );
  return picked;
}

/** What the kinds of money are called here. */
export function useMoneyNames(): MoneyNames {
  return moneyNames(useStore().state.settings);
}

/** Why an act that risks real or play money is not offered to sessions; null where it is. */
export function useLiveBar(isBarred: boolean): string | null {
  const { capital } = useMoneyNames();
  return isBarred ? `${capital} is at risk: the server runs without UI_TRADING=on.` : null;
}

/** Whether the caller has one of these scopes, as far as that is known, or none is needed. */
export const useMay = (...any: readonly AuthScope[]): boolean =>
  useSelected(({ scopes }) => scopes === null || any.length === 0 || any.some((scope) => scopes.includes(scope)));

/** What is read from the service, and how that went. */
export interface Reading<Value> {
  readonly value: Value | null;
  readonly problem: string | null;
  /** The status of the refusal that the problem is; null where it is none. */
  readonly status: number | null;
  readonly again: () => void;
}

/** Reads something when the component appears, when `name` changes, and every `everyMs` if that is given. */
export function useReading<Value>(
  name: string,
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs?: number,
): Reading<Value> {
  const [state, setState] = useState<
    { name: string; value: Value | null } & Pick<Reading<Value>, 'problem' | 'status'>
  >({
    name,
    value: null,
    problem: null,
    status: null,
  });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const look = () =>
      read(abort.signal).then(
        (value) => abort.signal.aborted || setState({ name, value, problem: null, status: null }),
        (error) => {
          const status = error instanceof ApiRefusal ? error.status : null;
          if (!abort.signal.aborted)
            setState(({ value, ...was }) => ({
              name,
              problem: troubleText(error),
              status,
              // What was read under another name is of something else, such as the other kind of money.
              value: was.name === name ? value : null,
            }));
        },
      );
    void look();
    const timer = everyMs === undefined ? undefined : setInterval(() => void look(), everyMs);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, [name, turn]);
  const isCurrent = state.name === name;
  return {
    value: isCurrent ? state.value : null,
    problem: isCurrent ? state.problem : null,
    status: isCurrent ? state.status : null,
    again: () => setTurn((count) => count + 1),
  };
}

/** A browser says of a service that does not answer only that it failed to fetch. */
const troubleText = (error: unknown): string =>
  error instanceof ApiRefusal ? error.message : 'The service did not answer.';
