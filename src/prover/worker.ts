/** The worker of the prove page: it loads and checks, while the page shows progress and can cancel. */
import type { Channel } from './browser.ts';
import { type Loaded, load, namedFiles } from './load.ts';
import type { WorkerAnswer, Request } from './messages.ts';
import { prove } from './prove.ts';
import { textOf } from './bytes.ts';

const scope = globalThis as unknown as Channel; // this file runs in a worker alone

let loaded: Loaded | null = null;
let running = new AbortController();

scope.addEventListener('message', ({ data }) => {
  const request = data as Request; // the page of this very bundle sends nothing else
  running.abort();
  if (request.kind === 'cancel') return;
  running = new AbortController();
  void answer(request, running.signal);
});

function post(message: WorkerAnswer): void {
  scope.postMessage(message, []);
}

async function answer(request: Exclude<Request, { kind: 'cancel' }>, signal: AbortSignal): Promise<void> {
  try {
    if (request.kind === 'start') {
      loaded = null;
      const onProgress = (done: number, total: number): void => post({ kind: 'loading', done, total });
      loaded = await load({ ...request, signal, onProgress });
    }
    if (loaded === null) throw new Error('Nothing is loaded yet.');
    const total = rowsOf(loaded);
    const turn = async (done: number): Promise<void> => {
      post({ kind: 'checking', done, total });
      await new Promise((resolve) => {
        setTimeout(resolve);
      });
      signal.throwIfAborted();
    };
    const proof = await prove(loaded, { key: request.key, turn });
    post({ kind: 'proof', proof });
  } catch (error) {
    if (signal.aborted) post({ kind: 'cancelled' });
    else post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

/** The number of rows that a check of the totals reads, from the manifest. */
function rowsOf({ manifest }: Loaded): number {
  const counted = ['costs.parquet', 'reported_value.parquet', 'reported_totals.parquet'];
  const named = namedFiles(textOf(manifest)) ?? [];
  return named.reduce((sum, { name, row_count }) => sum + (counted.includes(name) ? (row_count ?? 0) : 0), 0);
}
