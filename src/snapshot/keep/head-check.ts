/** Checks that the newest snapshot is whole, before older snapshots are deleted. */
import { CrossfootError } from '../../errors.ts';
import type { Clock } from '../../clock.ts';
import { untilAnswered } from '../../store/retry.ts';
import type { StoreReader } from '../../store/store.ts';
import { readChecked } from '../read/checked-read.ts';
import { blocksKey, manifestKey, tableKey } from '../format/keys.ts';
import { blockedFiles, decodeManifest, MANIFEST_CAP_BYTES } from '../format/manifest.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { DAY, type Instant } from '../../instant.ts';

interface Tools {
  readonly store: StoreReader;
  readonly clock: Clock;
}

/**
 * Throws if the newest snapshot is damaged. Publishing reads the whole snapshot back, so for a day after that only its manifest
 * is checked. Later, all its tables are read to their last byte.
 */
export async function requireWholeHead(
  log: PublishLog,
  now: Instant,
  { store, clock }: Tools,
): Promise<void> {
  const head = log.entries.at(-1);
  if (head === undefined) return;
  const age = now - head.published_at;
  const { account_id } = log;
  const bytes = await untilAnswered(clock, () =>
    store.readSmall(manifestKey(head.prefix), MANIFEST_CAP_BYTES),
  );
  if (bytes === null) {
    throw new CrossfootError('manifest_invalid', 'manifest: refused, because it is missing.', {
      data: { account: account_id, seq: head.seq },
    });
  }
  const manifest = decodeManifest(bytes, { ...head, account_id });
  if (age >= 0n && age < DAY) return;
  for (const { name, size_bytes, blocks_sha256 } of blockedFiles(manifest)) {
    const keys = { key: tableKey(head.prefix, name), blocks_key: blocksKey(head.prefix, name) };
    const file = { ...keys, size_bytes, blocks_sha256, block_bytes: manifest.block_bytes };
    await untilAnswered(clock, async () => {
      for await (const _ of readChecked(store, file, 0, size_bytes - 1)); // to its end: only a bad block throws
    });
  }
}
