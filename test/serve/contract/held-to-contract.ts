import type { createApp } from '../../../src/serve/app.ts';
import { faultsOf } from './contract-check.ts';

type App = ReturnType<typeof createApp>;

/** The same application, in which an answer that breaks its contract fails its request. */
export function heldToContract(app: App): App {
  const answer = app.fetch;
  app.fetch = async (request, ...bindings) =>
    await requireContract(request.method, request.url, await answer(request, ...bindings));
  return app;
}

/** Returns the answer as it is, or throws if it breaks the contract of the request. */
export async function requireContract(method: string, url: string, response: Response): Promise<Response> {
  const { pathname } = new URL(url);
  const type = response.headers.get('content-type') ?? '';
  // A page for people is no part of the contract, nor is the page of an unknown address.
  if (!pathname.startsWith('/v1/') && type.startsWith('text/html')) return response;
  const json = type === 'application/json';
  // If an answer is not JSON, only its headers are checked, and its body stays unread for the client.
  const seen = json ? unpacked(response.clone()) : new Response(null, response);
  const faults = await faultsOf(method, pathname, seen);
  if (faults.length > 0) throw new Error(`${method} ${pathname}: the answer ${faults.join('; ')}`);
  return response;
}

/** The same answer without its compression. An answer with a URL came through `fetch`, which has unpacked it already. */
function unpacked(response: Response): Response {
  if (response.url !== '' || response.headers.get('content-encoding') !== 'gzip' || response.body === null)
    return response;
  return new Response(response.body.pipeThrough(new DecompressionStream('gzip')), response);
}
