export { dayOfZone, localTime } from './local-time.js';
export { monotonic, nextTurn, sha256, systemClock, systemTimeline, uuidV7 } from './system.js';
