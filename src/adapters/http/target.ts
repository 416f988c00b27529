import type { IncomingMessage } from 'node:http';
import { hostName } from './hosts.js';
import { Problem } from './problem.js';

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;

/**
 * Brings the target of a request into the form that everything behind it reads: a path with its query. The host of a whole
 * URL takes the place of `Host` (RFC 9112, 3.2.2).
 * @throws Problem bad-request for a target or a `Host` that is none.
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
    throw malformed('The host that the request names is not a host, with or without a port.');
  }
}

function malformed(detail: string): Problem {
  return new Problem('bad-request', detail);
}
