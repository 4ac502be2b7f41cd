/** One file brought here: resumed where it was cut, and held to its digest as it lies on the disk. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Answer, ask, type Server } from './ask.ts';
import { Interruption, PullStopped } from './outcome.ts';
import { persist, type Persistence } from './persist.ts';
import type { WantedFile } from './wanted.ts';

/**
 * Brings a file of the snapshot into the folder, going on after what is there already. The digest is that of the bytes
 * on the disk; when it is wrong they are fetched once more from the beginning, because what was there may be to blame.
 */
export async function download(
  server: Server & Persistence,
  snapshot_id: string,
  file: WantedFile,
  folder: string,
): Promise<void> {
  const to = join(folder, file.name);
  const path = `/reporting/snapshots/${snapshot_id}/${file.path}`;
  for (let again = false; ; again = true) {
    await persist(file.name, server, (moved) => fetchRest(server, path, file, to, moved));
    const found = await sha256OfFile(to);
    if (found === file.sha256) return;
    await rm(to);
    if (again) {
      throw new PullStopped(3, `${file.name}: SHA-256 is ${found}, the manifest says ${file.sha256}.`);
    }
    server.say(`${file.name}: SHA-256 is not that of the manifest; fetched once more`);
  }
}

/** Brings what the file on the disk lacks, and flushes it: after a power cut there is the whole file or none. */
async function fetchRest(
  server: Server,
  path: string,
  file: WantedFile,
  to: string,
  moved: () => void,
): Promise<void> {
  const handle = await open(to, 'a');
  try {
    let from = (await handle.stat()).size;
    if (from > file.size_bytes) {
      await handle.truncate();
      from = 0;
    }
    if (from < file.size_bytes) await fetchFrom(from, server, path, file, handle, moved);
    // Also where all was here: a pull that was killed may have written the last byte and flushed nothing.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function fetchFrom(
  from: number,
  server: Server,
  path: string,
  { name, size_bytes, sha256 }: WantedFile,
  handle: FileHandle,
  moved: () => void,
): Promise<void> {
  // The tag is the digest of the manifest: a server that has other bytes by now refuses.
  const headers = { 'if-match': `"${sha256}"`, ...(from > 0 && { range: `bytes=${from}-` }) };
  const size = await ask(server, path, headers, (answer) => append(answer, handle, from, size_bytes, moved));
  if (size < size_bytes) throw new Interruption(`the answer ended after ${size} of ${size_bytes} bytes`);
  if (size > size_bytes) {
    await handle.truncate();
    throw new PullStopped(3, `${name}: is longer than the ${size_bytes} bytes of the manifest.`);
  }
}

/** Writes the body after what is there and gives the size it comes to. */
async function append(
  { status, headers, pieces }: Answer,
  handle: FileHandle,
  from: number,
  most_bytes: number,
  moved: () => void,
): Promise<number> {
  let size = from;
  if (status !== 206) {
    await handle.truncate(); // the whole file comes, whatever was asked for
    size = 0;
  } else if (headers.get('content-range')?.startsWith(`bytes ${from}-`) !== true) {
    throw new Interruption('the answer is another range');
  }
  for await (const piece of pieces) {
    await handle.appendFile(piece);
    size += piece.length;
    if (size > most_bytes) break;
    moved();
  }
  return size;
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}
