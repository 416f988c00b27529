import { execFileSync } from 'node:child_process';

/** Whether programs in Python can be run here; what `.ci/run` starts has it. */
export function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
