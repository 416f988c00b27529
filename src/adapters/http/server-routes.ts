import * as v from 'valibot';
import type { ReadServers } from '../../core/usecases/servers/read-servers.js';
import { type Route, route } from './route.js';
import { presentServer, serverOut } from './server-wire.js';

/** `/v1/admin/servers`. */
export function serverRoutes(servers: ReadServers): Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/admin/servers',
      operationId: 'listServers',
      tag: 'admin',
      status: 200,
      scopes: ['admin'],
      summary: 'List the servers at work on the database',
      description:
        'With their versions, and what each alone does. A server that was killed is listed for up to five seconds more.',
      answer: v.object({ data: v.array(serverOut) }),
      answerName: 'ServerList',
      problems: [],
      handle: async () => ({ status: 200, body: { data: (await servers.execute()).map(presentServer) } }),
    }),
  ];
}
