import { Socket } from 'node:net';

/** Where this process connects to, as `host:port`, once for each connection. */
export interface Egress {
  readonly destinations: readonly string[];
  stop(): void;
}

/** Watches every connection that this process opens, until stopped. */
export function watchEgress(): Egress {
  const destinations: string[] = [];
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    destinations.push(destinationOf(args));
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  const stop = () => {
    Socket.prototype.connect = connect;
  };
  return { destinations, stop };
}

/** `net` itself hands its arguments on in one array, options first. */
function destinationOf([first, second]: readonly unknown[]): string {
  const given: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof given !== 'object' || given === null) return `${second ?? 'localhost'}:${given}`;
  const { host = 'localhost', port, path } = given as { host?: string; port?: number | string; path?: string };
  return path === undefined || port !== undefined ? `${host}:${port}` : path;
}
