/** The checks of the page "Prove this snapshot", over the real HTTP of a running program. */
import { vi } from 'vitest';
import { load } from '../../src/prover/load.ts';
import { type Proof, prove } from '../../src/prover/prove.ts';
import { openBrowser } from '../serve/pages/browser.ts';

/** Signs in with the token, loads what the page loads, and proves the snapshot with the keys that the server lists. */
export async function proveServed(origin: string, token: string, snapshot_id: string): Promise<Proof> {
  const send = globalThis.fetch;
  const browser = openBrowser({
    request: (path, init) => send(new URL(path, origin), { ...init, redirect: 'manual' }),
  });
  await browser.post('/sign-in', { token }, { origin });
  vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
    browser.send(new URL(address).pathname, init),
  );
  try {
    const loaded = await load({
      snapshot_id,
      page: `${origin}/snapshots/${snapshot_id}/prove`,
      keys: `${origin}/v1/reporting/keys`,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    return await prove(loaded, { key: null, turn: async () => undefined });
  } finally {
    vi.unstubAllGlobals();
  }
}
