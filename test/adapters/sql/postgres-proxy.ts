import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** What becomes of the next COMMIT, or statement that is a group of its own, and of the connection it came on. */
export type CommitFate =
  | 'passes'
  | 'is lost on the way'
  | 'arrives, and its answer is lost'
  | 'arrives, and then the wire is severed'
  | 'arrives only once it is released';

/** A wire to Postgres that can be cut at the worst moment. */
export interface PostgresProxy {
  /** The database, through the wire. */
  readonly url: string;
  /** Decides on the next COMMIT of a batch, once. */
  fate(next: CommitFate): void;
  /** Cuts every connection, now. */
  cut(): void;
  /** Cuts every connection, and every new one, until it is mended. */
  sever(): void;
  mend(): void;
  /** How many COMMITs have come by. */
  commits(): number;
  /** Sends what arrives only now, on a connection that its sender lost; resolves once the server has answered it. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const COMMIT = 'commit\0';
const GROUP = 'stakeport_group';
const isCommit = (text: string): boolean => text.endsWith(COMMIT) || text.includes(GROUP);

/** Stands between a client and the server that the URL names. */
export async function startProxy(target: string): Promise<PostgresProxy> {
  const { hostname, port, pathname, username } = new URL(target);
  const sockets = new Set<Socket>();
  let next: CommitFate = 'passes';
  let seen = 0;
  let severed = false;
  let late: () => Promise<void> = async () => {};
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (severed) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket)).on('error', () => {});
    }
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
    upstream.on('data', (data) => client.write(data));
    client.on('data', (data) => {
      const commit = isCommit(data.toString('latin1'));
      const fate = commit ? next : 'passes';
      if (commit) {
        seen += 1;
        next = 'passes';
      }
      if (fate === 'arrives only once it is released') {
        late = async () => {
          upstream.write(data);
          await once(upstream, 'data');
          upstream.destroy();
        };
        client.removeAllListeners('close').destroy();
        return;
      }
      if (fate === 'is lost on the way') client.destroy();
      else upstream.write(data);
      if (!fate.startsWith('arrives, and')) return;
      // The server's answer proves that it is done; the client never gets it.
      upstream.removeAllListeners('data');
      upstream.once('data', () => {
        severed = fate === 'arrives, and then the wire is severed';
        client.destroy();
      });
    });
  });
  const url = `postgres://${username}@127.0.0.1:${await listen(server)}${pathname}`;
  return {
    url,
    fate: (fate) => {
      next = fate;
    },
    commits: () => seen,
    release: () => late(),
    cut,
    sever: () => {
      severed = true;
      cut();
    },
    mend: () => {
      severed = false;
    },
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
}
