import type { ComponentChildren } from 'preact';
import type { UiStore } from '../net/ui-store.js';
import { useSelected, useStore } from './use-store.js';

/** What an address of the dashboard is for. */
export interface Address {
  readonly page: string;
  /** Which of its things is shown, such as an order by its id; none where all are. */
  readonly of: readonly string[];
}

/** What a path is for. */
export function pageAddressOf(path: string): Address {
  const [, , page, ...of] = path.split('/');
  return { page: page || 'overview', of: of.filter((part) => part !== '').map(decoded) };
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

/** Shows another page under its address, as a link does. */
export function goTo(store: UiStore, to: string): void {
  history.pushState(null, '', `/ui/${to}`);
  store.set(pageAddressOf(location.pathname));
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

/** What the address asks for after its question mark. */
export const asked = (name: string): string | null => new URLSearchParams(location.search).get(name);
