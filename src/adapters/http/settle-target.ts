import type { IncomingMessage } from 'node:http';
import { hostName } from './own-hosts.js';
import { Problem } from './problem.js';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Normalises the target of a request to a path with its query. The host of an absolute URL replaces `Host` (RFC 9112,
 * 3.2.2).
 * @throws Problem bad-request for an invalid target or `Host`.
 */
export function settleTarget(req: IncomingMessage): void {
  const { url = '', method, headers } = req;
  if (!url.startsWith('/') && !(url === '*' && method === 'OPTIONS')) {
    const [, host = '', path = ''] = ABSOLUTE.exec(url) ?? [];
    if (host === '') throw malformed('The target of the request is neither a path nor an http URL.');
    headers.host = host;
    req.url = path.startsWith('/') ? path : `/${path}`;
  }
  if (headers.host !== undefined && hostName(headers.host) === undefined) {
    throw malformed('The host in the request is not a valid host, with or without a port.');
  }
}

function malformed(detail: string): Problem {
  return new Problem('bad-request', detail);
}
