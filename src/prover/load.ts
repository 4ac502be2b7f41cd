/** Loads what a proof needs from the server that sent the page, and from no other host. */
import { type Bytes, joined, textOf } from './bytes.ts';
import type { ListedKey } from './signatures.ts';

/** Everything that a proof reads. */
export interface Loaded {
  readonly snapshot_id: string;
  readonly manifest: Bytes;
  readonly signature: Bytes | null;
  /** The entries of the publish log up to the snapshot's, byte for byte. */
  readonly log: readonly string[];
  readonly keys: readonly ListedKey[];
  /** By name: the bytes, or the reason why the file could not be loaded. */
  readonly files: ReadonlyMap<string, Bytes | string>;
}

/** A file as the manifest names it. */
export interface NamedFile {
  readonly name: string;
  readonly size_bytes: number;
  /** Only for a table. */
  readonly row_count?: number;
  readonly sha256: string;
}

export interface LoadOptions {
  readonly snapshot_id: string;
  /** The address of the page. */
  readonly page: string;
  /** The address of the public keys. */
  readonly keys: string;
  readonly signal: AbortSignal;
  /** Bytes loaded so far, and all bytes. */
  readonly onProgress: (loaded: number, total: number) => void;
}

/** The largest snapshot that the page checks. */
const MAX_PROOF_BYTES = 200_000_000;

/** Loads everything. Throws if the manifest, the log or the keys cannot be loaded, or the files are larger than 200 MB. */
export async function load(options: LoadOptions): Promise<Loaded> {
  const { snapshot_id, page, signal, onProgress } = options;
  const file = (name: string) => request(`${page}/files/${name}`, signal);
  const manifest = await required(await file('manifest.json'), 'manifest.json');
  const signed = await file('manifest.json.sig');
  const signature = signed.status === 404 ? null : await required(signed, 'manifest.json.sig');
  const log = await loadLog(page, signal);
  const listed = await required(await request(options.keys, signal), 'the public keys');
  const named = namedFiles(textOf(manifest)) ?? [];
  const total = named.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  if (total > MAX_PROOF_BYTES) throw new Error('The files are larger than 200 MB.');
  const files = new Map<string, Bytes | string>();
  let before = 0;
  for (const { name, size_bytes } of named) {
    files.set(name, await loadFile(await file(name), size_bytes, (read) => onProgress(before + read, total)));
    before += size_bytes;
    onProgress(before, total);
  }
  return { snapshot_id, manifest, signature, log, keys: readKeys(textOf(listed)), files };
}

/** The tables and the further files that the manifest names; null if the text is no manifest. */
export function namedFiles(manifest: string): readonly NamedFile[] | null {
  try {
    const { tables, files } = JSON.parse(manifest) as { tables: NamedFile[]; files: NamedFile[] };
    const all = [...tables.map((table) => ({ ...table, name: `${table.name}.parquet` })), ...files];
    return all.every(
      ({ name, size_bytes, sha256 }) =>
        /^[a-z_]+\.(?:parquet|json|sql)$/.test(name) && size_bytes >= 0 && typeof sha256 === 'string',
    )
      ? all
      : null;
  } catch {
    return null;
  }
}

function readKeys(text: string): readonly ListedKey[] {
  return (JSON.parse(text) as { keys: ListedKey[] }).keys;
}

/** All entries of the log. The server sends some in each response, one per line; an empty response ends the log. */
async function loadLog(page: string, signal: AbortSignal): Promise<readonly string[]> {
  const entries: string[] = [];
  for (;;) {
    const part = textOf(
      await required(await request(`${page}/log/${entries.length + 1}`, signal), 'the publish log'),
    );
    if (part === '') return entries;
    entries.push(...part.trimEnd().split('\n'));
  }
}

async function request(address: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(address, { signal, redirect: 'manual', cache: 'no-store' });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`The server does not answer: ${String(error)}.`, { cause: error });
  }
}

async function required(response: Response, what: string): Promise<Bytes> {
  if (response.type === 'opaqueredirect')
    throw new Error('You are signed out. Sign in and open this page again.');
  if (!response.ok) throw new Error(`The server refuses ${what} with status ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The bytes, or why they could not be loaded. Stops after the size in the manifest: a longer file is not read to its end. */
async function loadFile(
  response: Response,
  size_bytes: number,
  onRead: (bytes: number) => void,
): Promise<Bytes | string> {
  if (!response.ok || response.body === null) return `the server answers with status ${response.status}`;
  const parts: Uint8Array[] = [];
  let read = 0;
  try {
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      read += value.length;
      onRead(Math.min(read, size_bytes));
      if (read > size_bytes) break;
    }
  } catch (error) {
    return `the server broke off after ${read} bytes: ${String(error)}`;
  }
  return joined(...parts);
}
