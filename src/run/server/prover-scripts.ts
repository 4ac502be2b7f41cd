import { readFile } from 'node:fs/promises';
import type { ProverScripts } from '../../serve/pages/prove-routes.ts';

/** Reads the two scripts of the page that proves a snapshot. */
export async function readProverScripts(): Promise<ProverScripts> {
  const [page, worker] = await Promise.all(
    ['prove-page.js', 'prove-worker.js'].map((name) =>
      readFile(new URL(`../../../schema/${name}`, import.meta.url), 'utf8'),
    ),
  );
  return { page: page ?? '', worker: worker ?? '' };
}
