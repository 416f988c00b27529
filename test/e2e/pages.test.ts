import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/build.js';
import { fenced } from '../support/pages.js';
import { SERVER, startServer } from '../support/processes.js';

const run = promisify(execFile);
/** 16 seconds to the result. */
const SPEED = '20';

/** Runs a block as it stands, against this server. */
async function sh(text: string, url: string): Promise<string> {
  // The scripts of the page have the address by default.
  const env = { ...process.env, BASE: url };
  const here = text
    .replaceAll('http://127.0.0.1:8080', url)
    .replaceAll('npx stakeport', `${process.execPath} ${SERVER}`);
  const { stdout } = await run('sh', ['-c', here], { cwd: ROOT, env: { ...env, STAKEPORT_URL: url } });
  return stdout;
}

describe('README.md', () => {
  const [, shown, trade, look, bets] = fenced('README.md', 'sh', 'text').map(({ text }) => text);

  it('shows the real output of the commands for its demo', async () => {
    const server = await startServer({ args: ['demo'], env: { TAPE_SPEED: SPEED }, cwd: ROOT });
    const printed = `${shown}`.replaceAll('http://127.0.0.1:8080', server.url).replace('speed 1', `speed ${SPEED}`);
    expect(server.output()).toContain(printed);
    expect(await sh(`${trade}`, server.url)).toMatch(/^filled +13\.5314 USDC, 23\.33 shares$/m);
    const read = () => sh(`curl -s ${server.url}/metrics`, server.url);
    const settled = 'stakeport_orders_total{status="settled",venue="example",mode="paper"} 2';
    await expect.poll(read).toContain(settled);
    expect(withoutTimes(await sh(`${look}`, server.url))).toBe(withoutTimes(`${bets}`));
    const metrics = await read();
    expect(metrics).toMatch(/^stakeport_decisions_total\{verdict="bet",rule="\w+"\} 1$/m);
    expect(metrics).toMatch(/^stakeport_followed_markets\{venue="example"\} [1-9]/m);
    expect(metrics).toMatch(/^stakeport_feed_age_seconds\{venue="example"\} \d/m);
  });
});

const withoutTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ/g, 'TIME');
const withoutIds = (text: string): string => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

describe('docs/api.md', () => {
  it('shows what its commands print, one after another', async () => {
    const { url } = await startServer({ env: { DATABASE_URL: 'memory:' } });
    const blocks = fenced('docs/api.md', 'sh', 'json');
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const printed = await sh(commands.join('\necho\n'), url);
    const answers = printed.split('\n').filter((line) => line.startsWith('{'));
    const shown = blocks.filter(({ language }) => language === 'json').map(({ text }) => text.trim());
    expect(answers.length).toBeGreaterThanOrEqual(shown.length);
    for (const [at, answer] of shown.entries()) expect(steady(answers[at] ?? '{}')).toMatchObject(steady(answer));
  });
});

/** An answer without what differs each time; `…` stands for members that a page leaves out. */
function steady(answer: string): object {
  const same = withoutIds(answer).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(same.replace(/, … (?=})/g, '').replace(/, … /g, ', '));
}
