/** Serves metrics to Prometheus on a port of its own, because the metrics need no token. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorFields, type Logger } from '../../log.ts';
import type { Metrics } from './metrics.ts';

interface MetricsListener {
  /** The port that was bound. */
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/metrics` and nothing else; resolves once connections are accepted. */
export async function listenForMetrics(
  metrics: Pick<Metrics, 'contentType' | 'text'>,
  { host, port, logger }: { readonly host: string; readonly port: number; readonly logger: Logger },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        logger.error('metrics.failed', errorFields(error));
        response.writeHead(503).end();
      },
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a TCP listener has one
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
