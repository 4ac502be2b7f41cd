/** The assistant on a port of this machine, for programs that cannot send a token: each request is given one here. */
import { createLogger } from '../../../src/log.ts';
import { TOOLS } from '../../../src/serve/assistant/all.ts';
import type { Tool } from '../../../src/serve/assistant/tool.ts';
import { listen, type Listener } from '../../../src/serve/http/server.ts';
import { knownPaths } from '../../../src/serve/known-paths.ts';
import { fakeApp, TOKENS } from '../fake-parts.ts';

type App = ReturnType<typeof fakeApp>['app'];

/** Listens. Without an application there is no ledger behind it, for programs that look at the protocol alone. */
export async function openServer(
  tools: readonly Tool[] = TOOLS,
  app: App = fakeApp({ tools, limits: { address: 1_000_000, token: 1_000_000 } }).app,
): Promise<Listener> {
  return await listen(
    (request, bindings) => {
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${TOKENS.personal}`);
      const { url, method, body, signal } = request;
      return app.fetch(new Request(url, { method, headers, body, signal, duplex: 'half' }), bindings);
    },
    { host: '127.0.0.1', port: 0, logger: createLogger('silent'), paths: knownPaths(app) },
  );
}
