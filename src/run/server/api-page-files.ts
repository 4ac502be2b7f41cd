import { readFile } from 'node:fs/promises';
import type { ApiPageFiles } from '../../serve/contract/api-page.ts';

/** Reads what the reference page of the API needs of the package it is made with. */
export async function readApiPageFiles(): Promise<ApiPageFiles> {
  const [style, script] = await Promise.all([
    readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
    readFile(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  ]);
  return { style, script };
}
