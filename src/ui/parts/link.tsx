import type { ComponentChildren } from 'preact';
import type { UiStore } from '../net/ui-store.js';
import { useSelected, useStore } from './use-store.js';

/** What an address of the dashboard is for. */
export interface Address {
  readonly page: string;
  /** Which of its things is shown, such as an order by its id; none where all are. */
  readonly of: readonly string[];
  /** What it asks for after its question mark, with it; empty where it asks for nothing. */
  readonly query: string;
}

/** What an address is for. */
export function pageAddressOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): Address {
  const [, , page, ...of] = pathname.split('/');
  return { page: page || 'overview', of: of.filter((part) => part !== '').map(decoded), query: search };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The path of a thing below `/ui/`. */
export const pathTo = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/');

/** Shows another page under its address, as a link does; under the one that it takes the place of where that means the same. */
export function goTo(store: UiStore, to: string, { isSame = false } = {}): void {
  if (isSame) history.replaceState(null, '', `/ui/${to}`);
  else history.pushState(null, '', `/ui/${to}`);
  store.set(pageAddressOf(location));
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('main h1')?.focus();
}

/** A link to a page of the dashboard: an address of its own, and no reload. */
export function Link(props: {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly isNav?: boolean;
  /** Whether it is drawn as a button, for what is done next. */
  readonly isButton?: boolean;
}) {
  const { to, children, isNav = false, isButton = false } = props;
  const store = useStore();
  const page = useSelected((state) => state.page);
  const isHere = isNav && page === to.split(/[?/]/)[0];
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goTo(store, to);
  };
  return (
    <a
      href={`/ui/${to}`}
      onClick={go}
      {...(isButton ? { class: 'button' } : {})}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
    >
      {children}
    </a>
  );
}

/** What the address asks for by this name. */
export const asked = (name: string): string | null => new URLSearchParams(location.search).get(name);

/** What the address asks for, and a way to ask for something else under an address of its own, so that back works. */
export function useAsked() {
  const store = useStore();
  const query = useSelected((state) => state.query);
  const wanted = new URLSearchParams(query);
  return {
    /** With its question mark; empty where nothing is asked for. */
    query,
    get: (name: string): string => wanted.get(name) ?? '',
    /** Empty texts are left out. Another filter begins with the first page. */
    ask(change: Readonly<Record<string, string>>): void {
      for (const [name, value] of Object.entries({ after: '', ...change })) {
        if (value === '') wanted.delete(name);
        else wanted.set(name, value);
      }
      history.pushState(null, '', `${location.pathname}${wanted.size === 0 ? '' : `?${wanted}`}`);
      store.set(pageAddressOf(location));
    },
  };
}
