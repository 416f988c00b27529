export { monotonic, sha256, systemClock, uuidV7 } from './system.js';
export { systemTimeline } from './timeline.js';
