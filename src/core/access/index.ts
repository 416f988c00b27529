export { type ApiKey, isUsable } from './api-key.js';
export { AUTH_SCOPES, type AuthScope, type Principal } from './principal.js';
export type { OpenSession, Session } from './session.js';
export { type LiveGrant, liveGrantOf } from './session.js';
export { type Restraint, SessionRestrained } from './session-restraint.js';
