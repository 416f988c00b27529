import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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

/** A browser without a window. As root, and in most containers, its sandbox cannot be set up. */
export function launchChromium(...more: readonly string[]): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--hide-scrollbars', ...more];
  return chromium.launch({ executablePath: chromiumPath(), args });
}
