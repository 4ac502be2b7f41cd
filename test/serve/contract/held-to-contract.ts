import type { createApp } from '../../../src/serve/app.ts';
import { faultsOf } from './contract-check.ts';

type App = ReturnType<typeof createApp>;

/** The same application, in which an answer that breaks its contract fails its request. */
export function heldToContract(app: App): App {
  const answer = app.fetch;
  app.fetch = async (request, ...bindings) =>
    await holdAnswer(request.method, request.url, await answer(request, ...bindings));
  return app;
}

/** The same answer, unless it breaks the contract of what was asked. */
export async function holdAnswer(method: string, url: string, response: Response): Promise<Response> {
  const { pathname } = new URL(url);
  const type = response.headers.get('content-type') ?? '';
  // A page for people is no part of the contract, nor is the page of an unknown address.
  if (!pathname.startsWith('/v1/') && type.startsWith('text/html')) return response;
  const json = type === 'application/json';
  // The client reads the file; its headers are checked here.
  const seen = json ? unpacked(response.clone()) : new Response(null, response);
  const faults = await faultsOf(method, pathname, seen);
  if (faults.length > 0) throw new Error(`${method} ${pathname}: the answer ${faults.join('; ')}`);
  return response;
}

/** The same answer without its compression, which the contract does not speak of. `fetch` has undone it: its answers have a URL. */
function unpacked(response: Response): Response {
  if (response.url !== '' || response.headers.get('content-encoding') !== 'gzip' || response.body === null)
    return response;
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip')), response);
}
