import { readFile } from 'node:fs/promises';
import type { ApiPageFiles } from '../../serve/contract/api-page.ts';

/** Reads the files of the package `swagger-ui-dist` that the reference page of the API needs. */
export async function readApiPageFiles(): Promise<ApiPageFiles> {
  const [style, script] = await Promise.all([
    readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
    readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  ]);
  return { style, script };
}
