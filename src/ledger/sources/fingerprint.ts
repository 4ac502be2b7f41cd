/** Tells whether a file is one thing: the same from before its first byte to after its last. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** What a file is at one moment. */
export interface Fingerprint {
  readonly sha256: string;
  /** Its device and number, size, and the times of its last changes. */
  readonly identity: string;
}

/** Reads the file once, for its digest. */
export async function fingerprintOf(path: string): Promise<Fingerprint> {
  const before = await identityOf(path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
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
