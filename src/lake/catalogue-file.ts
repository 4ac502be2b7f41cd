/** Makes the file of a catalogue in a thread of its own: parsing and writing it would delay every other request. */
import { Worker } from 'node:worker_threads';
import { CrossfootError } from '../errors.ts';
import type { GatheredLake } from './gathered-lake.ts';

/** A DuckDB file for DuckDB, or a SQLite file for clients without DuckDB. */
export type CatalogueForm = 'ducklake' | 'sqlite';

export interface CatalogueJob {
  readonly lake: GatheredLake;
  readonly form: CatalogueForm;
  /** The address of the API, ending in /v1. */
  readonly base_url: string;
  /** The address of each file, as `snapshot/table`; those of the API if omitted. */
  readonly links?: Readonly<Record<string, string>>;
  /** Where the thread may write a file that does not exist yet. */
  readonly path: string;
}

/** The thread has written the file at `path`, or found that a footer contradicts what was audited. */
export type CatalogueMade =
  | { readonly kind: 'written' }
  | { readonly kind: 'refused'; readonly message: string; readonly hint: string | undefined };

/** Starts the thread; resolves when the file at `path` is complete. */
export async function makeCatalogue(job: CatalogueJob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const thread = new Worker(new URL('./catalogue-worker.ts', import.meta.url), { workerData: job });
  const stop = (): void => void thread.terminate();
  signal.addEventListener('abort', stop);
  try {
    const made = await new Promise<CatalogueMade>((resolve, reject) => {
      thread.on('message', resolve);
      thread.on('error', reject);
      thread.on('exit', () =>
        reject(signal.aborted ? signal.reason : new Error('the thread of a catalogue ended early')),
      );
    });
    if (made.kind === 'refused')
      throw new CrossfootError(
        'file_corrupt',
        made.message,
        made.hint === undefined ? {} : { hint: made.hint },
      );
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
