/** Downloads one file: resumes an interrupted download, and checks the digest of the bytes on the disk. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerAnswer, ask, type Server } from './ask.ts';
import { Interruption, PullStopped } from './errors.ts';
import { retry, type RetryTools } from './retry.ts';
import type { RemoteFile } from './remote-manifest.ts';

/**
 * Downloads a file of the snapshot into the folder; continues a partial file. If the digest of the bytes on the disk is
 * wrong, it downloads the file once more from the beginning, because the partial file may have been wrong. If the digest is
 * wrong again, it throws. `onBytes` gets the number of bytes of the file that are on the disk.
 */
export async function download(
  server: Server & RetryTools,
  snapshot_id: string,
  file: RemoteFile,
  folder: string,
  onBytes: (here: number) => void,
): Promise<void> {
  const to = join(folder, file.name);
  const path = `/reporting/snapshots/${snapshot_id}/${file.path}`;
  for (let again = false; ; again = true) {
    await retry(file.name, server, (moved) =>
      fetchRest(server, path, file, to, (here) => {
        moved();
        onBytes(here);
      }),
    );
    const found = await sha256OfFile(to);
    if (found === file.sha256) {
      onBytes(file.size_bytes);
      return;
    }
    await rm(to);
    if (again) {
      throw new PullStopped(3, `${file.name}: SHA-256 is ${found}, the manifest says ${file.sha256}.`);
    }
    server.say(`${file.name}: SHA-256 is not that of the manifest; fetched once more`);
  }
}

/** Downloads the rest of the file and flushes it, so that the file is whole after a power cut. */
async function fetchRest(
  server: Server,
  path: string,
  file: RemoteFile,
  to: string,
  moved: (here: number) => void,
): Promise<void> {
  const handle = await open(to, 'a');
  try {
    let from = (await handle.stat()).size;
    if (from > file.size_bytes) {
      await handle.truncate();
      from = 0;
    }
    if (from < file.size_bytes) await fetchFrom(from, server, path, file, handle, moved);
    // Flush a complete file too: a killed pull may have written the last byte without a flush.
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function fetchFrom(
  from: number,
  server: Server,
  path: string,
  { name, size_bytes, sha256 }: RemoteFile,
  handle: FileHandle,
  moved: (here: number) => void,
): Promise<void> {
  // The entity tag is the digest in the manifest: the server refuses the request if its file has another digest.
  const headers = { 'if-match': `"${sha256}"`, ...(from > 0 && { range: `bytes=${from}-` }) };
  const size = await ask(server, path, headers, (answer) => append(answer, handle, from, size_bytes, moved));
  if (size < size_bytes) throw new Interruption(`the answer ended after ${size} of ${size_bytes} bytes`);
  if (size > size_bytes) {
    await handle.truncate();
    throw new PullStopped(3, `${name}: is longer than the ${size_bytes} bytes of the manifest.`);
  }
}

/** Appends the body and returns the new size of the file. */
async function append(
  { status, headers, pieces }: ServerAnswer,
  handle: FileHandle,
  from: number,
  most_bytes: number,
  moved: (here: number) => void,
): Promise<number> {
  let size = from;
  if (status !== 206) {
    await handle.truncate(); // the server sends the whole file instead of the range
    size = 0;
  } else if (headers.get('content-range')?.startsWith(`bytes ${from}-`) !== true) {
    throw new Interruption('the answer is another range');
  }
  for await (const piece of pieces) {
    await handle.appendFile(piece);
    size += piece.length;
    if (size > most_bytes) break;
    moved(size);
  }
  return size;
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}
