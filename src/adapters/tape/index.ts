export type { TapeIndex } from './tape-index.js';
export type { TapeHeader, TapeLine } from './tape-line.js';
export { openTape, TapeMarketData } from './tape-player.js';
export { readTape, readTapeHeader } from './tape-reader.js';
export { type Recording, type RecordingProgress, recordTape } from './tape-recorder.js';
export type { Speed } from './tape-timeline.js';
export { TapeUnreadable } from './tape-unreadable.js';
