/** What names a snapshot for people and programs: its id, `latest`, or a pin. */
import type { ReadableSnapshot } from './served-manifest.ts';
import { LATEST } from './snapshot-id.ts';

/**
 * The snapshot of that name among these, newest first; undefined if there is none. An id wins over a pin of the same name, and a
 * pin means the newest snapshot that has it.
 */
export function findNamed(listed: readonly ReadableSnapshot[], name: string): ReadableSnapshot | undefined {
  return (
    listed.find(({ snapshot_id }) => snapshot_id === name) ??
    (name === LATEST ? listed[0] : listed.find(({ pins }) => pins.some((pin) => pin.name === name)))
  );
}
