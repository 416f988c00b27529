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

/** Dollars, as decimals. */
interface AtStake {
  readonly reserved: string;
  readonly exposure: string;
}

/** What a halt did, in a sentence. */
export function doneText(
  since: Date,
  cancellation: { readonly cancelled: number; readonly working: number } | null,
): string {
  const halted = `Halted since ${since.toISOString()}: no new bets.`;
  if (cancellation === null) return `${halted} Resting orders still rest.`;
  const { cancelled, working } = cancellation;
  return `${halted} Orders cancelled: ${cancelled}. Orders that still work: ${working}.`;
}

/** The page that halts, as HTML. */
export function haltPage({ state, result, assets, idempotencyKey }: HaltPage): string {
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
<p>This page halts and nothing else. What is held is not sold. <a href="/ui/overview">The dashboard</a> resumes trading.</p>
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
  return `<p>${name} ${stopped.length === 0 ? 'It may bet now.' : 'It is stopped already:'}</p>
${stopped.length === 0 ? '' : `<ul>${reasons}</ul>`}
<table><caption>What it has at stake, in USDC</caption>
<thead><tr><th scope="col">Money</th><th scope="col" class="num">Reserved for resting orders</th><th scope="col" class="num">At risk in all</th></tr></thead>
<tbody>${row('Paper', paper)}${row('Live', live)}</tbody></table>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
