import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The one without any window first: it takes two thirds of the processor time that a whole browser does. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The program file of a Chromium: `CHROMIUM_PATH`, or one of the usual names on the path. @throws Error where there is none */
export function chromiumPath(): string {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  const named = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = [...(CHROMIUM_PATH === undefined ? [] : [CHROMIUM_PATH]), ...named].find(isProgram);
  if (found !== undefined) return found;
  throw new Error(
    'There is no Chromium. Install one (apt-get install chromium), or name its program in CHROMIUM_PATH.',
  );
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * What a browser without a window does for each page all the same: a third of what a page costs goes into two pop-ups of the address
 * bar. The others are those that Playwright turns off, since only the last list counts.
 */
const UNUSED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** A browser without a window. As root, and in most containers, its sandbox cannot be set up. */
export function launchChromium(...more: readonly string[]): Promise<Browser> {
  const unused = `--disable-features=${UNUSED_FEATURES.join()}`;
  // Else each visit to a page begins a process, which takes a third of its time.
  const site = '--process-per-site';
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars', site, unused, ...more];
  return chromium.launch({ executablePath: chromiumPath(), args });
}
