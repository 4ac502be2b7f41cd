/** Unpacks gzip to its last byte: all its parts, each with its checksum. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { CsvBroken } from '../staging/row.ts';

/**
 * Yields the unpacked bytes, and hands their SHA-256 to `onEnd`. Throws `CsvBroken` if a part is damaged or cut off, and for
 * bytes after the last part: zlib takes zeros there as padding, but they may be what is left of a part.
 */
export async function* unzipped(
  path: string,
  onEnd: (sha256: string) => void = () => undefined,
): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  const file = createReadStream(path);
  const parts = file.pipe(createGunzip());
  const hash = createHash('sha256');
  // pipe() passes on data, not errors.
  file.on('error', (error) => parts.destroy(error));
  try {
    for await (const chunk of parts as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    const expected =
      'a whole gzip file; this one is damaged, cut off, or followed by other bytes: export it again';
    throw new CsvBroken(null, expected, error);
  } finally {
    file.destroy();
  }
  const unread = size - parts.bytesWritten;
  if (unread > 0) {
    const expected = `a gzip file that is whole to its end; its last ${unread} bytes are zeros, where a part may be lost: export it again`;
    throw new CsvBroken(null, expected, null);
  }
  onEnd(hash.digest('hex'));
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
