/**
 * In place of the environment's, for commands that work beside a server or without one: who may call a server, and what
 * trading with real money needs, must not keep them from running.
 */
export const ALONE = { AUTH_MODE: 'dev', HOST: '127.0.0.1', NODE_ENV: '', LIVE_TRADING: 'off' } as const;
