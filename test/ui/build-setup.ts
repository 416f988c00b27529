import type { TestProject } from 'vitest/node';
import { build } from '../support/build.js';
import { chromiumPath } from './chromium.js';

/** Builds `dist/`. Without a Chromium the run fails: nothing is skipped. */
export async function setup(project: TestProject): Promise<void> {
  chromiumPath();
  project.provide('buildFailure', await build());
}
