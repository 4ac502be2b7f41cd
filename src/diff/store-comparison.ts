/** Stores a comparison, so that readers need not make it: the changed rows first, then the record that makes them readable. */
import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import { CrossfootError } from '../errors.ts';
import { type ComparedRows, encodeComparison } from '../snapshot/format/comparison.ts';
import { changesKey, comparisonKey } from '../snapshot/format/keys.ts';
import { prefixOfPair } from '../snapshot/read/read-comparison.ts';
import type { LogReader } from '../snapshot/read/signed-reader.ts';
import { readSpooled } from '../snapshot/spool/spool.ts';
import { contentOfBytes, upload } from '../snapshot/spool/upload.ts';
import type { Content, Store } from '../store/store.ts';
import { type CompareTools, type Pair, withComparison, type WrittenChanges } from './compare.ts';
import { rulesDigest } from './rules.ts';
import { publishedPair } from './stored-comparison.ts';

export interface StoringTools extends CompareTools {
  readonly store: Store;
  readonly log: LogReader;
  readonly clock: Clock;
}

/**
 * Compares the pair and stores the result: first the rows, which are read back whole, then the record that makes them
 * readable. Returns the record's facts; null if there is nothing to store.
 */
export async function storeComparison(pair: Pair, tools: StoringTools): Promise<ComparedRows | null> {
  const { store, log, clock, sql } = tools;
  const published = await publishedPair(pair, log);
  if (published === null) return null;
  const prefix = prefixOfPair(published);
  return await withComparison(pair, tools, async (written) => {
    const { rows_bytes, content } = await compress(written, tools);
    const put = (key: string, bytes: Content) => upload(store, clock, key, bytes, otherComparison);
    await put(changesKey(prefix), content);
    const compared = {
      rules_sha256: rulesDigest(sql),
      made_at: clock.now(),
      tables: [...written.tables],
      rows_bytes,
      size_bytes: content.size,
      sha256: content.sha256,
    };
    await put(comparisonKey(prefix), contentOfBytes(encodeComparison(published, compared)));
    return compared;
  });
}

/** Compresses the rows into a file beside them: a changed rate changes every cost, and their texts are much alike. */
async function compress(
  { path }: WrittenChanges,
  { fs }: Pick<CompareTools, 'fs'>,
): Promise<{ readonly rows_bytes: number; readonly content: Content }> {
  const packed = `${path}.gz`;
  const handle = await fs.open(packed, 'wx');
  const hash = createHash('sha256');
  let [rows_bytes, size] = [0, 0];
  async function* rows(): AsyncGenerator<Uint8Array> {
    for await (const piece of readSpooled(fs, path)) {
      rows_bytes += piece.length;
      yield piece;
    }
  }
  try {
    await pipeline(rows, createGzip({ level: constants.Z_BEST_SPEED }), async (pieces) => {
      for await (const piece of pieces as AsyncIterable<Uint8Array>) {
        size += piece.length;
        hash.update(piece);
        await handle.writeFile(piece);
      }
    });
  } finally {
    await handle.close();
  }
  return { rows_bytes, content: { size, sha256: hash.digest('hex'), open: () => readSpooled(fs, packed) } };
}

/** Another program version may have stored other bytes: its comparison stays, and this one is not stored. */
function otherComparison(key: string): CrossfootError {
  return new CrossfootError('upload_differs', 'comparison: the stored bytes differ from the compared rows.', {
    hint: 'The two snapshots are compared anew when somebody asks.',
    data: { key },
  });
}
