import { readFile } from 'node:fs/promises';
import type { ApiDocument } from '../../serve/contract/document.ts';

/** Reads the contract of every route from this installation. */
export async function readContract(): Promise<ApiDocument> {
  const text = await readFile(new URL('../../../schema/v1.openapi.json', import.meta.url), 'utf8');
  const { 'x-generated': _, ...contract } = JSON.parse(text) as ApiDocument & { 'x-generated': string }; // generated
  return contract;
}
