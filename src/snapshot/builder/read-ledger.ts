/**
 * Reads the ledger at one moment into the spool, one set of files after the other. For a large account, a second connection
 * computes figures and control totals at the same time.
 */
import type { Client } from 'pg';
import { readServerVersion } from '../../ledger/server-version.ts';
import { requireAccount, requireReporting } from '../../ledger/accounts.ts';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { readClosedMonths } from '../../ledger/moment/close-pins.ts';
import { keepAwake } from '../../ledger/moment/keep-awake.ts';
import { readLeftOut } from '../../ledger/moment/left-out.ts';
import type { Moment } from '../../ledger/moment/moment.ts';
import { WarmThread } from '../../parquet/warm-thread.ts';
import type { Content } from '../../store/store.ts';
import { REPORTING } from '../../tables/all.ts';
import type { BuildTools } from './build-tools.ts';
import { atMoment, besideConnection, millisecondsBehind, rangeConnection } from './build-moment.ts';
import type { BuildJob } from './build-start.ts';
import { requireAgreement } from '../../clock-offsets.ts';
import type { ClosedMonth } from './close-pins.ts';
import type { BuildEvent } from './events.ts';
import { readPassedOver } from '../keep/future-heads.ts';
import { Lanes } from './lanes.ts';
import { partsPrefix } from '../format/keys.ts';
import type { Manifest } from '../format/manifest.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import type { Spool } from '../spool/spool.ts';
import { requireSameLedger } from './same-ledger.ts';
import { cutTables, writeInRanges } from './write-ranges.ts';
import { keptSets, readsOf, type SetReads, type SpooledSet } from './spooled-set.ts';

export interface ReadLedger {
  readonly moment: Moment;
  readonly snapshot_id: string;
  readonly postgres: string;
  /** The reporting tables, and the sets beside them. */
  readonly reporting: SpooledSet;
  readonly beside: readonly SpooledSet[];
  /** `control.json`. */
  readonly control: Content;
  readonly left_out: LeftOutAmounts;
  readonly closed: readonly ClosedMonth[];
}

/** Reads everything at one moment. If this moment is not later than the newest snapshot, it waits and reads again. */
export async function readLedger(
  job: BuildJob,
  tools: BuildTools,
  given: Omit<ReadTools, 'thread'>,
): Promise<ReadLedger> {
  // Start the thread first: it loads while the connection opens. Our own thread ends before the audit, because its memory
  // never shrinks. A thread of the caller only rests.
  const thread = tools.thread ?? new WarmThread();
  await using _ = {
    [Symbol.asyncDispose]: () => (tools.thread === undefined ? thread[Symbol.asyncDispose]() : thread.rest()),
  };
  for (;;) {
    const read = await readOnce(job, tools, { ...given, thread });
    if (typeof read !== 'number') return read;
    tools.onEvent({ kind: 'moment.awaited', ms: read });
    await tools.clock.sleep(read);
  }
}

interface ReadTools {
  readonly known: PublishLog;
  /** The manifest of the newest snapshot; null without one. */
  readonly newest: Manifest | null;
  readonly spool: Spool;
  readonly thread: WarmThread;
}

/** Reads at the present moment. Returns a number if it is too early: the milliseconds to wait. */
async function readOnce(
  job: BuildJob,
  tools: BuildTools,
  { known, newest, spool, thread }: ReadTools,
): Promise<ReadLedger | number> {
  const { account_id } = job;
  const stop = new AbortController();
  const stoppable = { ...job, signal: AbortSignal.any([job.signal, stop.signal]) };
  const { signal } = stoppable;
  await using opened = new AsyncDisposableStack();
  const run = async (client: Client, moment: Moment) => {
    await requireAccount(client, account_id);
    await requireReporting(client, account_id);
    const { generated_at } = moment;
    const snapshot_id = snapshotIdOf(generated_at);
    const passed = await readPassedOver(known, snapshot_id, tools);
    const early_ms = millisecondsBehind(known, generated_at, passed);
    if (early_ms > 0) return early_ms;
    // Before the ledger is read: a large one takes minutes to hours.
    requireSameLedger(job, newest, moment);
    const { fs, onEvent } = tools;
    const { now } = tools.clock;
    const { group_rows } = tools;
    const reads = {
      client,
      account_id,
      generated_at,
      snapshot_id,
      spool,
      fs,
      thread,
      group_rows,
      signal,
      now,
    };
    const loud = { ...reads, onEvent: hear };
    const kept = await keptSets(reads, tools);
    const cuts = await cutTables([REPORTING, ...kept], loud, job.ranges ?? 1);
    const reporting = await readsOf(REPORTING, loud, cuts);
    const beside: SetReads[] = [];
    // The progress of a build counts only the reporting tables.
    const quiet = { ...reads, onEvent: () => undefined };
    for (const set of kept) beside.push(await readsOf(set, quiet, cuts));
    const sets = [reporting, ...beside];
    const queue = sets.flatMap((set) => set.queue);
    const lanes = opened.use(
      new Lanes(queue, (step) => besideConnection(stoppable, tools, moment, step), stop),
    );
    function hear(event: BuildEvent): void {
      if (event.kind === 'rows.written') lanes.widen(); // the table is large, so open the second connection
      onEvent(event);
    }
    const ranged = sets.flatMap((set) => set.ranged);
    const inRanges =
      ranged.length === 0
        ? Promise.resolve()
        : writeInRanges(ranged, loud, {
            open: (step) => rangeConnection(stoppable, tools, moment, step),
            lanes: tools.range_lanes ?? 1,
            stop,
            share: async (ranges) =>
              (await tools.shareRanges?.({ account_id, nonce: job.nonce, moment, ranges })) ?? null,
            parts: {
              store: tools.store,
              clock: tools.clock,
              prefix: partsPrefix(account_id, snapshot_id, job.nonce),
            },
          });
    opened.defer(async () => {
      stop.abort(new Error('the first connection of the build ended'));
      await inRanges;
    });
    for (const step of sets.flatMap(({ first }) => first)) await step(client);
    await lanes.drain(client);
    const left_out = await readLeftOut(client, account_id);
    const closed = await readClosedMonths(client, account_id);
    const postgres = await readServerVersion(client);
    await keepAwake(client, inRanges);
    signal.throwIfAborted();
    const read = { moment, snapshot_id, postgres, left_out, closed };
    return { lanes, reporting, beside, read };
  };
  try {
    const ended = await atMoment(stoppable, tools, run, async (client) =>
      requireAgreement(await tools.readClocks(client, true), 'built'),
    );
    if (typeof ended === 'number') return ended;
    // The first connection is closed by now: an open transaction must not stay idle while the second connection still reads.
    await ended.lanes.joined();
    return {
      ...ended.read,
      reporting: ended.reporting.written(),
      beside: ended.beside.map((set) => set.written()),
      control: ended.reporting.control(),
    };
  } catch (error) {
    // If the second connection failed, it also ended the first: throw the error of the second.
    throw stop.signal.aborted && !job.signal.aborted ? stop.signal.reason : error;
  }
}
