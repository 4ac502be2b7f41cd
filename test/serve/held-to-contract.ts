import type { createApp } from '../../src/serve/app.ts';
import { faultsOf } from './contract-check.ts';

type App = ReturnType<typeof createApp>;

/** The same application, in which an answer that breaks its contract fails whoever asked for it. */
export function heldToContract(app: App): App {
  const answer = app.fetch;
  app.fetch = async (request, ...bindings) => {
    const response = await answer(request, ...bindings);
    const { pathname } = new URL(request.url);
    const json = response.headers.get('content-type') === 'application/json';
    // A file is left to whoever reads it; its headers are looked at here.
    const seen = json ? response.clone() : new Response(null, response);
    const faults = await faultsOf(request.method, pathname, seen);
    if (faults.length > 0) throw new Error(`${request.method} ${pathname}: the answer ${faults.join('; ')}`);
    return response;
  };
  return app;
}
