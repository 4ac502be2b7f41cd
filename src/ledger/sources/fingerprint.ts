/** Tells whether a file is one thing: the same from before its first byte to after its last. */
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';

/** What a file is at one moment. */
export interface Fingerprint {
  readonly sha256: string;
  /** Its device and number, size, and the times of its last changes. */
  readonly identity: string;
}

const PIECE_BYTES = 256 * 1024;

/** Reads the file once, for its digest. */
export async function fingerprintOf(path: string): Promise<Fingerprint> {
  const before = await identityOf(path);
  const hash = createHash('sha256');
  await using file = await open(path);
  // One piece for the whole file: new ones would take as much memory as the rows.
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  for (;;) {
    const { bytesRead } = await file.read(piece);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
  }
  return { sha256: hash.digest('hex'), identity: before };
}

/** True if the file is what it was. */
export async function isStill(path: string, { sha256, identity }: Fingerprint): Promise<boolean> {
  // The file may be gone, which is a change, too.
  const now = await fingerprintOf(path).catch(() => null);
  return now?.sha256 === sha256 && now.identity === identity && (await identityOf(path)) === identity;
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
