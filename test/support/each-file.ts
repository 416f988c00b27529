import { afterAll } from 'vitest';
import { cleanUp } from './after-file.js';

// Set up first, and so the last to run: what a file closes by itself is closed by then.
afterAll(cleanUp);
