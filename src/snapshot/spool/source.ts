/** A Parquet file of the spool, read by ranges of bytes. */
import type { ParquetSource } from '../../parquet/open-file.ts';
import { inSpool } from './failure.ts';
import type { SpoolFileSystem } from './spool.ts';

/** Opens the file; dispose of the source to close it. */
export async function openSpooledSource(
  fs: Pick<SpoolFileSystem, 'open'>,
  path: string,
): Promise<ParquetSource & AsyncDisposable> {
  const handle = await inSpool(path, () => fs.open(path));
  const { size } = await inSpool(path, () => handle.stat());
  return {
    size_bytes: size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from + 1);
      const { bytesRead } = await inSpool(path, () => handle.read(bytes, 0, bytes.length, from));
      return bytes.subarray(0, bytesRead);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
