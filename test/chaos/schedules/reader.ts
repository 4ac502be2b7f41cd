/** Readers of a schedule: servers that answer with the newest snapshot, with any other, and with the bytes of a table. */
import { createReader } from '../../../src/snapshot/read/reader.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/snapshot-reader.ts';
import { readAll } from '../../store/contract.ts';
import { ACCOUNT } from './history.ts';
import { foreseen, type Process, type World } from './world.ts';

/** Longer than a server may answer from memory. */
const STALE_FOR = 5_000_000;

/** Opens a server's reader. */
export function openReader({ history }: World, { store, clock, actor }: Process): SnapshotReader {
  return createReader({
    store,
    now: clock.now,
    onFault: ({ message }) => history.bad.push(`${actor.name} found a broken chain: ${message}`),
    cache_bytes: 1_000,
  });
}

/** Asks for the newest snapshot again and again, and reads it; now and then for an older one. */
export async function keepReading(world: World, questions: number, process: Process): Promise<void> {
  const { chance } = world;
  const reader = openReader(world, process);
  let newest = 0;
  for (let asked = 0; asked < questions; asked += 1) {
    newest = await askForLatest(world, reader, newest);
    const entry = world.history.log.length > 0 ? chance.oneOf(world.history.log) : undefined;
    if (entry !== undefined && chance.happens(0.5)) await askFor(world, reader, entry.snapshot_id);
    await process.clock.sleep(chance.oneOf([0, 1_000, 6_000]));
  }
}

/** Asks for the newest snapshot and reads its table; gives its number, never a lower one than before. */
async function askForLatest(world: World, reader: SnapshotReader, before: number): Promise<number> {
  const { history, scheduler } = world;
  const asked_at = scheduler.now;
  let found: string | null;
  try {
    found = (await reader.latest(ACCOUNT))?.snapshot_id ?? null;
  } catch (error) {
    gone(world, error, null, asked_at);
    return before;
  }
  const seq = history.log.findIndex((entry) => entry.snapshot_id === found) + 1;
  history.refuse(found !== null && seq === 0, `${found} is served, and was never published`);
  history.refuse(seq < before, `latest went back from entry ${before} to ${seq}`);
  const overdue = history.log.findLast((entry) => entry.created_at < asked_at - STALE_FOR);
  history.refuse(seq < (overdue?.seq ?? 0), `latest is entry ${seq}, and ${overdue?.seq} is out for long`);
  if (found !== null) await readTable(world, reader, found);
  return seq;
}

async function askFor(world: World, reader: SnapshotReader, snapshot_id: string): Promise<void> {
  const asked_at = world.scheduler.now;
  try {
    // Null while a server does not know of it yet.
    if ((await reader.pinned(ACCOUNT, snapshot_id)) !== null) await readTable(world, reader, snapshot_id);
  } catch (error) {
    gone(world, error, snapshot_id, asked_at);
  }
}

/** Reads the table's file; true when it came whole. */
export async function readTable(world: World, reader: SnapshotReader, snapshot_id: string): Promise<boolean> {
  const { history, scheduler } = world;
  const asked_at = scheduler.now;
  let read: Buffer;
  try {
    read = await readAll(await reader.openTable(ACCOUNT, snapshot_id, 'snapshot'));
  } catch (error) {
    gone(world, error, snapshot_id, asked_at);
    return false;
  }
  const entry = history.log.find((each) => each.snapshot_id === snapshot_id);
  const wanted = entry && history.stagedOf(entry)?.files.get(`${entry.prefix}/snapshot.parquet`);
  const identical = wanted !== undefined && read.equals(wanted);
  history.refuse(!identical, `${snapshot_id} was served with other bytes than were audited`);
  return identical;
}

/** Refused: rightly so only while the store does not answer, or when no promise holds any more. */
function gone({ history }: World, error: unknown, snapshot_id: string | null, asked_at: number): void {
  const { code } = foreseen(error, 'snapshot_expired', 'manifest_invalid', 'file_corrupt');
  if (code === 'store_outcome_unknown' || code === 'store_unavailable') return;
  const entries = history.log.filter((entry) => snapshot_id === null || entry.snapshot_id === snapshot_id);
  const rightly = entries.some((entry) =>
    code === 'snapshot_expired' ? !history.mustBeReadable(entry, asked_at) : history.mayBeGone(entry),
  );
  history.refuse(!rightly, `${snapshot_id ?? 'latest'} was refused as ${code}, and is promised still`);
}
