import type { Logger } from 'pino';
import { type createApp, type HttpServer, type Metrics, serve } from '../../adapters/http/index.js';
import type { Config } from '../settings/config.js';
import { connectionLimit, LimitLog } from './connection-limit.js';
import { listenFailure } from './listen-failure.js';

/**
 * Listens at HOST and PORT, with connections limited so that the rest of the process keeps its file descriptors.
 * @throws CommandFailed when the address is taken or is not one of this machine
 */
export async function listen(
  app: ReturnType<typeof createApp>,
  config: Config,
  metrics: Metrics,
  logger: Logger,
): Promise<HttpServer> {
  const most = connectionLimit();
  const observer = new LimitLog(most, metrics, logger);
  return serve(app, config.host, config.port, { connections: { most, observer } }).catch((error: unknown) => {
    throw listenFailure(error, config);
  });
}
