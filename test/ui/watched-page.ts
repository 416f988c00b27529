import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launchChromium } from './chromium.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const REPORT_VIOLATIONS =
  "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))";
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** A page of the dashboard, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, violations of the policy, and requests to other hosts. */
  readonly faults: string[];
  /** What axe finds of WCAG 2.2 A and AA, as `rule: elements`. */
  axe(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** One for all files of a process, with which it ends. */
let browser: Promise<Browser> | undefined;

/** How long a test waits for what must come, on a machine that is busy with other work. */
export const PATIENCE_MS = 60_000;
const VIEWPORT = { width: 1280, height: 800 };

/** Opens a page in a context of its own. */
export async function openPage(url: string, path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await newPage(url, options);
  await watched.page.goto(`${url}${path}`);
  return { ...watched, close: () => watched.page.context().close() };
}

/** The page that tests have one after another. */
let shared: ReturnType<typeof newPage> | undefined;

/** In which size and colours a page is shown, and for whom. */
type Look = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'extraHTTPHeaders'>;

/**
 * Opens an address in a page that tests have one after another, which takes a fraction of a context of its own: for tests that log in
 * nowhere, set no clock, store nothing and listen to no event of the page.
 */
export async function openShared(url: string, path: string, look: Look = {}): Promise<WatchedPage> {
  shared ??= newPage(url);
  const watched = await shared;
  const { page, faults } = watched;
  watched.origin = url;
  // A test that failed left its answers.
  await page.unrouteAll();
  await page.setExtraHTTPHeaders(look.extraHTTPHeaders ?? {});
  await page.setViewportSize(look.viewport ?? VIEWPORT);
  await page.emulateMedia({ media: null, colorScheme: look.colorScheme ?? 'light' });
  faults.length = 0;
  await page.goto(`${url}${path}`);
  const close = async () => {
    await page.unrouteAll();
    await page.goto('about:blank');
  };
  return { ...watched, close };
}

/** Runs in a page: resolves once it is drawn, and what watches sizes has heard of them. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Shows a page that is open in another size or other colours, which takes a fraction of opening it anew. */
export async function show({ page }: WatchedPage, { viewport, colorScheme }: Omit<Look, 'extraHTTPHeaders'>) {
  await page.setViewportSize(viewport ?? VIEWPORT);
  await page.emulateMedia({ media: null, colorScheme: colorScheme ?? 'light' });
  await page.evaluate(DRAWN);
}

/** A page in a context of its own, which may load what is below `origin` alone. */
async function newPage(origin: string, options: BrowserContextOptions = {}) {
  browser ??= launchChromium();
  const context = await (await browser).newContext({ viewport: VIEWPORT, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const watched = { page, faults: [] as string[], origin, axe: () => axeOn(page) };
  const { faults } = watched;
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  await context.route('**/*', (route) => {
    const asked = route.request().url();
    if (asked.startsWith(`${watched.origin}/`)) return route.continue();
    faults.push(`foreign: ${asked}`);
    return route.abort();
  });
  await page.addInitScript({ content: REPORT_VIOLATIONS });
  return watched;
}

async function axeOn(page: Page): Promise<readonly string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { html: string }[];
    }
    const { violations } = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  }, TAGS);
}

/** Waits until the page has read what it shows. */
export async function loaded({ page }: WatchedPage, title: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.locator('.pulse:is(.open, .still)').waitFor();
  await page.getByText('Reading…').first().waitFor({ state: 'detached' });
}

/** Nothing went wrong in the page. */
export function expectNoFaults({ faults }: WatchedPage): void {
  expect(faults).toEqual([]);
}

/** How much wider the page is than its window. */
export const overhang = ({ page }: WatchedPage) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
