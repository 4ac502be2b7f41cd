/**
 * Reads the ledger at one moment into the spool: the reporting tables, the companions, the FOCUS file and the control
 * totals. For a large account, a second connection computes figures and control totals at the same time.
 */
import type { Client } from 'pg';
import { requireSelects } from '../../database/columns.ts';
import { readServerVersion } from '../../ledger/server-version.ts';
import { requireAccount, requireReporting } from '../../ledger/accounts.ts';
import type { LeftOutAmounts } from '../../figures/left-out.ts';
import { readClosedMonths } from '../../ledger/moment/close-pins.ts';
import { readControlTotals } from '../../ledger/moment/control.ts';
import { readLeftOut } from '../../ledger/moment/left-out.ts';
import type { Moment } from '../../ledger/moment/moment.ts';
import { WarmThread } from '../../parquet/warm-thread.ts';
import type { Content } from '../../store/store.ts';
import { TABLES } from '../../tables/all.ts';
import type { Table } from '../../tables/table.ts';
import type { BuildTools } from './build-tools.ts';
import { atMoment, besideConnection, millisecondsBehind } from './build-moment.ts';
import type { BuildJob } from './build-start.ts';
import { requireAgreement } from '../../clock-offsets.ts';
import type { ClosedMonth } from './close-pins.ts';
import { type SpooledCompanions, writeCompanions } from './companions.ts';
import { encodeControl } from './control-file.ts';
import type { BuildEvent } from './events.ts';
import { writeFocus } from './focus.ts';
import { readPassedOver } from '../keep/future-heads.ts';
import { Lanes, type Step } from './lanes.ts';
import type { PublishLog } from '../format/publish-log.ts';
import { snapshotIdOf } from '../format/snapshot-id.ts';
import type { Spool } from '../spool/spool.ts';
import { isComputed, type SpooledTable, type TableJob, typedSelects, writeReported } from './write-tables.ts';

export interface ReadLedger {
  readonly moment: Moment;
  readonly snapshot_id: string;
  readonly postgres: string;
  /** In the order of `TABLES`. */
  readonly tables: readonly SpooledTable[];
  /** Null if the account switched them off, or if the build has no checks for them. */
  readonly companions: SpooledCompanions | null;
  /** Null if the build has no checks for it. */
  readonly focus: SpooledTable | null;
  /** `control.json`. */
  readonly control: Content;
  readonly left_out: LeftOutAmounts;
  readonly closed: readonly ClosedMonth[];
}

/** Reads everything at one moment. If this moment is not later than the newest snapshot, it waits and reads again. */
export async function readLedger(
  job: BuildJob,
  tools: BuildTools,
  known: PublishLog,
  spool: Spool,
): Promise<ReadLedger> {
  // Start the thread first: it loads while the connection opens. Our own thread ends before the audit, because its memory
  // never shrinks. A thread of the caller only rests.
  const thread = tools.thread ?? new WarmThread();
  await using _ = {
    [Symbol.asyncDispose]: () => (tools.thread === undefined ? thread[Symbol.asyncDispose]() : thread.rest()),
  };
  for (;;) {
    const read = await readOnce(job, tools, { known, spool, thread });
    if (typeof read !== 'number') return read;
    tools.onEvent({ kind: 'moment.awaited', ms: read });
    await tools.pace.sleep(read);
  }
}

interface Surroundings {
  readonly known: PublishLog;
  readonly spool: Spool;
  readonly thread: WarmThread;
}

/** Reads at the present moment. Returns a number if it is too early: the milliseconds to wait. */
async function readOnce(
  job: BuildJob,
  tools: BuildTools,
  { known, spool, thread }: Surroundings,
): Promise<ReadLedger | number> {
  const { account_id } = job;
  const stop = new AbortController();
  const stoppable = { ...job, signal: AbortSignal.any([job.signal, stop.signal]) };
  const { signal } = stoppable;
  await using opened = new AsyncDisposableStack();
  const run = async (client: Client, moment: Moment) => {
    await requireAccount(client, account_id);
    await requireReporting(client, account_id);
    const { generatedAt } = moment;
    const snapshot_id = snapshotIdOf(generatedAt);
    const passed = await readPassedOver(known, snapshot_id, tools);
    const early_ms = millisecondsBehind(known, generatedAt, passed);
    if (early_ms > 0) return early_ms;
    const written: Written = { tables: new Map(), companions: null, focus: null, control: null };
    const { fs, onEvent } = tools;
    const { now } = tools.pace;
    const reads = { account_id, generatedAt, snapshot_id, spool, fs, thread, signal, now, onEvent };
    await requireSelects(client, typedSelects(TABLES, reads));
    const { first, queue } = stepsOf({ ...reads, onEvent: hear }, tools, written);
    const lanes = opened.use(
      new Lanes(queue, (step) => besideConnection(stoppable, tools.connect, moment, step), stop),
    );
    function hear(event: BuildEvent): void {
      if (event.kind === 'rows.written') lanes.widen(); // the table is large, so open the second connection
      onEvent(event);
    }
    for (const step of first) await step(client);
    await lanes.drain(client);
    const left_out = await readLeftOut(client, account_id);
    const closed = await readClosedMonths(client, account_id);
    const postgres = await readServerVersion(client);
    return { lanes, written, read: { moment, snapshot_id, postgres, left_out, closed } };
  };
  try {
    const ended = await atMoment(stoppable, tools.connect, run, async (client) =>
      requireAgreement(await tools.readClocks(client), 'built'),
    );
    if (typeof ended === 'number') return ended;
    // The first connection is closed by now: an open transaction must not stay idle while the second connection still reads.
    await ended.lanes.joined();
    return { ...ended.read, ...whole(ended.written) };
  } catch (error) {
    // If the second connection failed, it also ended the first: throw the error of the second.
    throw stop.signal.aborted && !job.signal.aborted ? stop.signal.reason : error;
  }
}

/** The files that the steps have written. */
interface Written {
  readonly tables: Map<string, SpooledTable>;
  companions: SpooledCompanions | null;
  focus: SpooledTable | null;
  control: Content | null;
}

/** `first` belongs to the first connection; the steps of `queue` run on either connection. */
function stepsOf(
  job: Omit<TableJob, 'client'>,
  { companionChecks, focusChecks }: BuildTools,
  written: Written,
): { readonly first: readonly Step[]; readonly queue: readonly Step[] } {
  const write =
    (table: Table): Step =>
    async (client) => {
      written.tables.set(table.name, await writeReported(table, { ...job, client }));
    };
  const focus: Step = async (client) => {
    written.focus = await writeFocus({ ...job, client });
  };
  const companions: Step = async (client) => {
    written.companions = await writeCompanions({ ...job, client });
  };
  const control: Step = async (client) => {
    const totals = readControlTotals(client, { account_id: job.account_id });
    written.control = await job.spool.writePieces('control.json', encodeControl(totals));
  };
  return {
    first: [
      ...TABLES.filter((table) => !isComputed(table)).map(write),
      ...(focusChecks === undefined ? [] : [focus]),
    ],
    queue: [
      ...TABLES.filter(isComputed).map(write),
      control,
      ...(companionChecks === undefined ? [] : [companions]),
    ],
  };
}

function whole({ tables, companions, focus, control }: Written) {
  const inOrder = TABLES.flatMap(({ name }) => tables.get(name) ?? []);
  if (control === null || inOrder.length < TABLES.length) throw new Error('a step of the build did not run');
  return { tables: inOrder, companions, focus, control };
}
