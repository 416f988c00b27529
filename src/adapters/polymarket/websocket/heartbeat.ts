import type { TextHeartbeat } from '../../transport/websocket-session.js';

/** The venue takes a text in place of WebSocket's own ping, and answers with one (`polymarket.md` 5). */
export const TEXT_HEARTBEAT: TextHeartbeat = { ping: 'PING', pong: 'PONG' };
