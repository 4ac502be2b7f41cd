/**
 * A worker reads one range of a table for a build of another process: at the moment of that build, with a spool and a login of
 * its own. It leaves the range as a part in the store.
 */
import { CrossfootError } from '../../errors.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import { tableInSet } from '../../tables/file-sets.ts';
import { partsPrefix } from '../format/keys.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import { openSpool } from '../spool/spool.ts';
import { stoppableClock, stoppableStore } from '../../store/stoppable.ts';
import { rangeConnection, whileMomentIsOpen } from './build-moment.ts';
import type { BuildTools } from './build-tools.ts';
import type { Offer, OfferedRange } from './shared-ranges.ts';
import { readConstants } from './spooled-set.ts';
import { type StoredPart, storePart } from './stored-parts.ts';
import { writePart } from './write-tables.ts';

export interface RangeJob extends Omit<Offer, 'ranges'>, OfferedRange {
  readonly signal: AbortSignal;
}

type ToolsOfBuild =
  | 'clock'
  | 'connect'
  | 'fs'
  | 'giveBack'
  | 'group_rows'
  | 'newNonce'
  | 'onEvent'
  | 'spoolRoot'
  | 'store';

interface RangeTools extends Pick<BuildTools, ToolsOfBuild> {
  /** The thread that encodes the part. */
  readonly thread: WarmThread;
}

const FILE = 'part.parquet';

/** Stores the part of the range. Throws `moment_unseen` if this worker does not see the moment, or once the moment has ended. */
export async function storeRange(job: RangeJob, tools: RangeTools): Promise<StoredPart> {
  const { account_id, moment, number, range, table: name } = job;
  const { fs, spoolRoot: root, clock, onEvent, group_rows, thread } = tools;
  const found = tableInSet(name);
  if (found === undefined) throw new CrossfootError('parts_refused', `${name} is no table of this version.`);
  const snapshot_id = snapshotIdOf(moment.generated_at);
  // Not the nonce of the build, which may have its own spool on this machine.
  const spool = await openSpool({ fs, root, account_id, nonce: tools.newNonce(), now: clock.now });
  await using _ = {
    [Symbol.asyncDispose]: () =>
      spool.remove().catch(() => onEvent({ kind: 'spool.left', directory: spool.directory })),
  };
  return await whileMomentIsOpen(job, { ...tools, sleep: clock.sleep }, moment, async (signal) => {
    const stoppable = { ...job, signal };
    let part: StoredPart | undefined;
    await rangeConnection(stoppable, tools, moment, async (client) => {
      const { generated_at } = moment;
      const reads = { client, account_id, generated_at, snapshot_id, spool, fs, thread, group_rows, signal };
      const onRows = (rows: number): void => onEvent({ kind: 'rows.written', table: name, rows });
      const constants = await readConstants(found.set, reads);
      const options = { constants, range, onRows };
      part = await writePart(found.table, { ...reads, now: clock.now, onEvent }, FILE, options);
    });
    if (part === undefined) throw new Error('a range was not read');
    const parts = {
      store: stoppableStore(tools.store, signal),
      clock: stoppableClock(clock, signal),
      prefix: partsPrefix(account_id, snapshot_id, job.nonce),
    };
    await storePart(parts, { table: name, number }, spool, FILE, part);
    return part;
  });
}
