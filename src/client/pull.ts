/**
 * A pull: 1. lock the folder  2. read the manifest of the snapshot  3. check its signature and the publish log  4. download
 * the missing files into a partial folder and check their digests  5. let the caller inspect the partial folder  6. rename
 * it, or move its files into a folder that an earlier pull finished  7. if `latest` was requested, replace the link `latest`
 * and write `latest.json`.
 * A file of an earlier pull counts as present if it has the size of the manifest; its digest is not checked again.
 */
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Server } from './ask.ts';
import { download } from './download.ts';
import { absentFrom, announce, beginPartial, finish, flushFolders, placesOf } from './folder.ts';
import { lockFolder } from './lock.ts';
import type { RetryTools } from './retry.ts';
import { proveSnapshot } from './signed.ts';
import {
  type PulledManifest,
  type PulledTable,
  readRemoteManifest,
  refuseRetracted,
  tablesNamed,
} from './remote-manifest.ts';

/** Parallel downloads: enough to use the whole bandwidth, and few enough for the server's limit per address. */
const AT_ONCE = 4;

export interface PullOptions {
  /** The address of the API; `/v1` may be omitted. */
  readonly url: string;
  readonly token: string;
  /** The folder that snapshots are pulled into. */
  readonly to: string;
  /** An id, or `latest`. */
  readonly snapshot: string;
  /** Names of tables; null for all. */
  readonly tables: readonly string[] | null;
  /** True: pull the snapshot even if it was retracted. */
  readonly retracted: boolean;
  /** Public keys to trust, as OpenSSH writes them; empty: those that the folder trusts. */
  readonly keys: readonly string[];
}

export interface PullTools extends RetryTools {
  /** Inspects the partial folder; may throw to stop the pull. If given, the files of the audit are pulled too. */
  readonly inspect?: (folder: string, manifest: PulledManifest) => Promise<void>;
  /** Called as bytes arrive: `here` are on the disk, of `of` bytes to download. */
  readonly onBytes?: (here: number, of: number) => void;
}

export interface Pulled {
  readonly snapshot_id: string;
  /** The finished folder. */
  readonly folder: string;
  readonly tables: readonly PulledTable[];
  /** False if everything was here before. */
  readonly isNew: boolean;
}

/** Pulls a snapshot into `<to>/<snapshot_id>`. A first pull that stops early leaves no such folder. */
export async function pull(options: PullOptions, tools: PullTools): Promise<Pulled> {
  const { say, signal, inspect, onBytes } = tools;
  const to = resolve(options.to);
  const server = { url: apiUrl(options.url), token: options.token, signal, say };
  await mkdir(to, { recursive: true });
  const release = await lockFolder(to);
  try {
    const manifest = await readRemoteManifest(server, options.snapshot);
    const { snapshot_id, retraction } = manifest;
    refuseRetracted(manifest, options.retracted);
    if (retraction !== null) say(`snapshot ${snapshot_id} was retracted: ${retraction.reason}`);
    const tables = tablesNamed(manifest, options.tables);
    const evidence = inspect === undefined ? [] : manifest.files;
    const { partial, finished } = placesOf(to, snapshot_id);
    const absent = await absentFrom(finished, [...tables, ...evidence]);
    const latest = options.snapshot === 'latest';
    const isHere = absent.length === 0;
    const proof = await proveSnapshot(server, manifest, { to, keys: options.keys, latest, isHere });
    if (!isHere) {
      // An inspection needs all files in one folder.
      const files = inspect === undefined ? absent : [...tables, ...evidence];
      await beginPartial(to, partial);
      const here = new Map<string, number>();
      const of = sum(files.map(({ size_bytes }) => size_bytes));
      await eachOf(files, server, (file, line) =>
        download(line, snapshot_id, file, partial, (bytes) => {
          here.set(file.name, bytes);
          onBytes?.(sum(here.values()), of);
        }),
      );
      await inspect?.(partial, manifest);
      await finish(partial, finished, { ...proof?.files, 'manifest.json': manifest.text });
    }
    // Flush the folder before the control file names it: after a power cut both must exist.
    await flushFolders(finished, to);
    await proof?.remember();
    const announced = latest && (await announce(to, manifest, tables));
    return { snapshot_id, folder: finished, tables, isNew: !isHere || announced };
  } finally {
    await release();
  }
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}

/** Runs the work on a few items at a time. The first failure stops the others, and is thrown when they have stopped. */
async function eachOf<Item>(
  items: readonly Item[],
  server: Server & RetryTools,
  run: (item: Item, line: Server & RetryTools) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const failed = new AbortController();
  const line = { ...server, signal: AbortSignal.any([server.signal, failed.signal]) };
  const worker = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await run(item, line).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      });
    }
  };
  await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  line.signal.throwIfAborted();
}

function apiUrl(url: string): string {
  const plain = url.replace(/\/+$/, '');
  return plain.endsWith('/v1') ? plain : `${plain}/v1`;
}
