export * from './deliver-due.js';
export * from './deliver-events.js';
export * from './deliver-webhooks.js';
