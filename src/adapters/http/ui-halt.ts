import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../core/access/principal.js';
import { shortId } from '../../core/ids.js';
import { spentText } from '../../core/message/message-text.js';
import { momentWords } from '../../core/strategy/rules/skip-reasons.js';
import type { TradingState } from '../../core/trading/state.js';
import type { ReadPortfolio } from '../../core/usecases/accounts/read-portfolio.js';
import type { ReadTrading } from '../../core/usecases/trading/read-trading.js';
import type { SetTradingState } from '../../core/usecases/trading/set-trading-state.js';
import type { Authenticator, Credentials } from '../../ports/authenticator.js';
import type { AppContext } from './app-context.js';
import type { AppRouter } from './app-router.js';
import { readForm } from './body.js';
import { problemOf } from './errors.js';
import { credentialsIn, identify, requireScope } from './guard.js';
import { Problem } from './problem.js';
import { protectPage } from './ui-headers.js';

/** What the app decides for the page that halts. */
export interface HaltHost {
  readonly authenticator: Authenticator;
  /** @throws Problem unavailable while nothing may be changed */
  readonly checkChange: () => void;
}

/** The use cases of the page that halts without a script. */
export interface HaltUseCases {
  readonly portfolio: Pick<ReadPortfolio, 'now'>;
  readonly trading: { readonly set: SetTradingState; readonly read: ReadTrading };
}

const PATH = '/ui/halt';
const MOST_BYTES = 4096;
const REASON = 'Halted from the page /ui/halt.';

/** `GET` and `POST /ui/halt`: a form that stops an account, and nothing else. It needs no script. */
export function haltRoutes(
  router: AppRouter,
  use: HaltUseCases,
  host: HaltHost,
  assets: () => Promise<PageAssets>,
): void {
  const show = async (ctx: AppContext, page: Omit<HaltPage, 'assets' | 'idempotencyKey'>, status = 200) => {
    ctx.state.route = PATH;
    protectPage(ctx, 'self');
    const text = haltPage({ ...page, assets: await assets(), idempotencyKey: randomUUID() });
    ctx.state.answer = { status, type: 'text/html; charset=utf-8', text };
  };
  router.get(PATH, async (ctx) => {
    ctx.state.route = PATH;
    const found = await host.authenticator.authenticate(credentialsIn(ctx.req));
    if (found.kind !== 'principal') return show(ctx, { state: null, result: null });
    await show(ctx, { state: await stateOf(use, found.principal), result: null });
  });
  router.add('POST', PATH, async (ctx) => {
    ctx.state.route = PATH;
    try {
      host.checkChange();
      const { principal, result } = await halt(use, host, ctx);
      await show(ctx, { state: await stateOf(use, principal), result });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      await show(ctx, { state: null, result: `Nothing was done. ${problem.message}` }, problem.status);
    }
  });
}

/** The money at stake and the reasons for stops, only for a caller that may read both elsewhere too. */
async function stateOf({ portfolio, trading }: HaltUseCases, principal: Principal): Promise<HaltPage['state']> {
  const { account, scopes } = principal;
  if (!scopes.has('orders:read')) return { account, readable: null };
  const [paper, live] = await Promise.all(
    [true, false].map((paper) => portfolio.now(account, { paper, strategyId: null })),
  );
  const { states } = await trading.read.now(account);
  const sumOf = (one: typeof paper) => ({
    reserved: spentText(one?.reserved ?? 0n),
    exposure: spentText(one?.exposure ?? 0n),
  });
  return { account, readable: { paper: sumOf(paper), live: sumOf(live), stopped: states.map(stopWords) } };
}

const MOMENTS = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** What a state of trading is about and does, by whom, since when and why. */
function stopWords({ scope, state, stops, by, since, reason }: TradingState): string {
  const [kind, name = ''] = scope.split(/:(.*)/s);
  const whose = { account: 'This account', service: 'All accounts of this server', sport: `Markets of ${name}` };
  const of = whose[kind as keyof typeof whose] ?? `The strategy ${shortId(name)}`;
  const what = state === 'halted' ? 'no new bets' : 'only bets that lower a worst case';
  const money = stops === 'live' ? ' of live trading' : '';
  return `${of}: ${what}${money}, by ${by} since ${momentWords(since.toISOString())}: ${reason.replace(MOMENTS, momentWords)}`;
}

async function halt({ trading }: HaltUseCases, { authenticator }: HaltHost, ctx: AppContext) {
  checkSender(ctx.req);
  const proceed = () => {
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
  };
  const form = await readForm(ctx.req, proceed, MOST_BYTES);
  const principal = await identify(authenticator, credentialsOf(ctx.req, form.get('key') ?? ''));
  requireScope(principal, 'orders:cancel', 'risk:write', 'admin');
  ctx.state.account = principal.account;
  const cancel = form.get('act') === 'halt-and-cancel';
  if (!cancel && form.get('act') !== 'halt') throw new Problem('bad-request', 'The form names no act.');
  const { account, credential: by, scopes: may } = principal;
  const change = { scope: 'account', state: 'halted', stops: 'all', reason: REASON, by, until: null } as const;
  const idempotencyKey = form.get('idempotency_key') || null;
  const { record } = await trading.set.execute({ account, change, cancel, may, idempotencyKey });
  return { principal, result: doneText(record.state.since, record.cancellation) };
}

/** A key that was typed in counts instead of what the request carries. */
function credentialsOf(req: IncomingMessage, key: string): Credentials {
  const sent = credentialsIn(req);
  return key.trim() === '' ? sent : { ...sent, authorization: `Bearer ${key.trim()}` };
}

/** The gate has refused foreign origins; a form must also say which it is of, since every browser does. */
function checkSender({ headers }: IncomingMessage): void {
  if (headers.origin === undefined && headers['sec-fetch-site'] === undefined)
    throw new Problem('foreign-origin', 'The form does not say which page sent it. Halt with POST /v1/trading/state.');
}

/** What the page shows. */
export interface HaltPage {
  /** The account; null where the request did not say who it is from. */
  readonly state: {
    readonly account: string;
    /** Its money; null for a credential that may not read it. */
    readonly readable: AccountFigures | null;
  } | null;
  /** What an act has done. */
  readonly result: string | null;
  readonly assets: PageAssets;
  readonly idempotencyKey: string;
}

/** The names of the assets that the page uses. */
export interface PageAssets {
  readonly style: string;
  readonly icon: string;
}

/** What an account has at stake, and what stops it. */
interface AccountFigures {
  readonly paper: AtStake;
  readonly live: AtStake;
  /** What stops it already, a sentence each. */
  readonly stopped: readonly string[];
}

/** Dollars, to the cent. */
interface AtStake {
  readonly reserved: string;
  readonly exposure: string;
}

/** What a halt did, in a sentence. */
function doneText(since: Date, cancellation: { readonly cancelled: number; readonly working: number } | null): string {
  const halted = `Halted since ${momentWords(since.toISOString())}: no new bets.`;
  if (cancellation === null) return `${halted} Resting orders still rest.`;
  const { cancelled, working } = cancellation;
  return `${halted} Orders cancelled: ${cancelled}. Orders that still work: ${working}.`;
}

/** The page that halts, as HTML. */
function haltPage({ state, result, assets, idempotencyKey }: HaltPage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Halt · stakeport</title>
<link rel="icon" href="/ui/assets/${assets.icon}"><link rel="stylesheet" href="/ui/assets/${assets.style}"></head>
<body class="plain"><main><h1>Halt</h1>
${result === null ? '' : `<p role="alert" class="note">${escaped(result)}</p>`}
${state === null ? '<p>Enter an API key with the scope <code>orders:cancel</code>, and choose.</p>' : stakes(state)}
<form method="post" action="/ui/halt" autocomplete="off">
<input type="hidden" name="idempotency_key" value="${idempotencyKey}">
${state === null ? '<p><label for="key">API key</label><br><input id="key" name="key" type="password" autocomplete="off" required></p>' : ''}
<p class="acts"><button class="stop" name="act" value="halt">No new bets</button>
<button class="stop" name="act" value="halt-and-cancel">No new bets, and cancel what rests</button></p>
</form>
<p>This page halts at once, and does nothing else. What is held is not sold. To let it bet again, press Resume on <a href="/ui/overview">the dashboard</a>.</p>
</main></body>
</html>
`;
}

function stakes({ account, readable }: NonNullable<HaltPage['state']>): string {
  const name = `Account <b>${escaped(account)}</b>.`;
  if (readable === null)
    return `<p>${name} What it has at stake is shown to keys with the scope <code>orders:read</code>.</p>`;
  const { paper, live, stopped } = readable;
  const row = (name: string, { reserved, exposure }: AtStake) =>
    `<tr><th scope="row">${name}</th><td class="num">${reserved}</td><td class="num">${exposure}</td></tr>`;
  const reasons = stopped.map((sentence) => `<li>${escaped(sentence)}</li>`).join('');
  return `<p>${name} ${stopped.length === 0 ? 'It may bet now.' : 'What stops it already:'}</p>
${stopped.length === 0 ? '' : `<ul>${reasons}</ul>`}
<table><caption>What it has at stake</caption>
<thead><tr><th scope="col">Money</th><th scope="col" class="num">Reserved for resting orders</th><th scope="col" class="num">At risk in all</th></tr></thead>
<tbody>${row('Paper', paper)}${row('Live', live)}</tbody></table>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
