import type { ComponentChildren } from 'preact';
import { useSelected, useStore } from './use-store.js';

/** The page that an address is for. */
export const pageOfPath = (path: string): string => path.split('/')[2] || 'overview';

/** A link to a page of the dashboard: an address of its own, and no reload. */
export function Link(props: { readonly to: string; readonly children: ComponentChildren; readonly isNav?: boolean }) {
  const { to, children, isNav } = props;
  const store = useStore();
  const page = useSelected((state) => state.page);
  const isHere = isNav === true && page === to.split('?')[0];
  const go = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    history.pushState(null, '', `/ui/${to}`);
    store.set({ page: pageOfPath(location.pathname) });
    document.querySelector<HTMLElement>('main h1')?.focus();
  };
  return (
    <a href={`/ui/${to}`} onClick={go} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {children}
    </a>
  );
}

/** What the address asks for after its question mark. */
export const asked = (name: string): string | null => new URLSearchParams(location.search).get(name);
