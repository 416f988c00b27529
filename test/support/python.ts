import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './build.js';

/** What programs in Python find the client by. */
export const PYTHON_CLIENT = { PYTHONPATH: join(ROOT, 'clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };

const IS_RECENT = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** Whether programs in Python 3.10 or later can be run here; what `.ci/run` starts has it. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', IS_RECENT], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
