import { readFile } from 'node:fs/promises';
import type { ProverScripts } from '../../serve/pages/prove-files.ts';

/** Reads the script of every page. */
export async function readPageScript(): Promise<string> {
  return await readScript('page-script.js');
}

/** Reads the two scripts of the page that proves a snapshot. */
export async function readProverScripts(): Promise<ProverScripts> {
  const [page, worker] = await Promise.all([readScript('prove-page.js'), readScript('prove-worker.js')]);
  return { page, worker };
}

function readScript(name: string): Promise<string> {
  return readFile(new URL(`../../../assets/${name}`, import.meta.url), 'utf8');
}
