export * from './deliver-due.js';
export * from './deliver-webhooks.js';
