import { render } from 'preact';
import { App } from './app.tsx';
import { whenUnauthenticated } from './net/api.js';
import { Follower } from './net/follower.js';
import { type UiSettings, UiStore } from './net/ui-store.js';
import { pageOfPath } from './parts/link.tsx';
import { StoreContext } from './parts/use-store.js';
import './style.css';

/** Reads what kind of server this is, and draws the page of the address. */
async function begin(): Promise<void> {
  const settings: UiSettings = await (await fetch('/ui/settings.json')).json();
  const store = new UiStore(settings, pageOfPath(location.pathname));
  whenUnauthenticated(() => store.set({ page: 'login' }));
  addEventListener('popstate', () => store.set({ page: pageOfPath(location.pathname) }));
  const root = document.getElementById('app');
  if (root === null) throw new Error('the page has no place for the dashboard');
  root.replaceChildren();
  render(
    <StoreContext.Provider value={store}>
      <App />
    </StoreContext.Provider>,
    root,
  );
  new Follower(store).start();
}

void begin();
