import { render } from 'preact';
import { App } from './app.tsx';
import { whenUnauthenticated } from './net/api.js';
import { Follower } from './net/follower.js';
import { PageLogin } from './net/page-login.js';
import { type UiSettings, UiStore } from './net/ui-store.js';
import { pageAddressOf } from './parts/link.tsx';
import { LoginContext, StoreContext } from './parts/use-store.js';
import './style.css';

/** Reads what kind of server this is, and draws the page of the address. */
async function begin(): Promise<void> {
  const answer = await fetch('/ui/settings.json');
  const aheadMs = Date.parse(answer.headers.get('date') ?? '') - Date.now() || 0;
  const settings: UiSettings = await answer.json();
  const isKnown = settings.is_known || !settings.needs_login;
  const store = new UiStore(settings, isKnown ? pageAddressOf(location) : { page: 'login', of: [], query: '' });
  const follower = new Follower(store);
  const login = new PageLogin(store, () => follower.restart(), aheadMs);
  whenUnauthenticated(() => login.refused());
  addEventListener('popstate', () => {
    if (store.state.page !== 'login') store.set(pageAddressOf(location));
  });
  const root = document.getElementById('app');
  if (root === null) throw new Error('the page has no place for the dashboard');
  root.replaceChildren();
  render(
    <StoreContext.Provider value={store}>
      <LoginContext.Provider value={login}>
        <App />
      </LoginContext.Provider>
    </StoreContext.Provider>,
    root,
  );
  void login.start();
  follower.start();
}

void begin();
