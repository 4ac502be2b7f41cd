/** Records the progress of a build. A build never fails because its record could not be written. */
import { hostname } from 'node:os';
import { isCrossfootError } from '../../errors.ts';
import { failureOf } from '../../failure.ts';
import { processLife } from '../../processes.ts';
import { errorFields } from '../../log.ts';
import type { BuildEvent } from '../../snapshot/builder/events.ts';
import { fromMs } from '../../instant.ts';
import { TABLES } from '../../tables/all.ts';
import { isFullDisk } from '../../snapshot/spool/failure.ts';
import { type Attempt, writeAttempt } from './attempts.ts';
import { CLOCK } from '../machine.ts';

interface RecorderOptions {
  readonly dataDir: string;
  readonly account_id: bigint;
  readonly started_by: NonNullable<Attempt['started_by']>;
  /** Called when the record could not be written. On a full disk that is at the end of the build alone. */
  readonly onLost: (error: unknown) => void;
  /** Runs the last write again with space that was kept for a full disk. */
  readonly withReserve: (write: () => Promise<void>) => Promise<void>;
}

export interface AttemptRecorder {
  readonly began_at: Attempt['began_at'];
  /** Records an event of the build. */
  follow(event: BuildEvent): void;
  /** Records the end of the build: its error, or success without one. */
  end(error?: unknown): Promise<void>;
}

/** Starts the record of a build that starts now in this process. */
export async function recordAttempt({
  dataDir,
  account_id,
  started_by,
  onLost,
  withReserve,
}: RecorderOptions): Promise<AttemptRecorder> {
  let record: Attempt = {
    account_id: String(account_id),
    began_at: CLOCK.now(),
    ended_at: null,
    host: hostname(),
    pid: process.pid,
    life: await processLife(process.pid),
    started_by,
    tables_at: null,
    audited_at: null,
    step: 'start',
    tables_written: 0,
    tables: [],
    last_table: null,
    outcome: 'running',
    snapshot_id: null,
    left_out: null,
    kept: null,
    failure: null,
  };
  // Written one after the other: an older state must not replace a newer one. A state that waits for its turn is not written:
  // a small account has twenty in half a second.
  let written: Promise<void> = Promise.resolve();
  let waiting: { onFull: (again: () => Promise<void>) => unknown } | null = null;
  const write = (
    change: Partial<Attempt>,
    onFull: (again: () => Promise<void>) => unknown,
  ): Promise<void> => {
    record = { ...record, ...change };
    if (waiting !== null) {
      waiting.onFull = onFull;
      return written;
    }
    const own = (waiting = { onFull });
    const writeNewest = (): Promise<void> => {
      waiting = null;
      return writeAttempt(dataDir, record);
    };
    written = written
      .then(writeNewest)
      .catch((error: unknown) => (isFullDisk(error) ? own.onFull(writeNewest) : Promise.reject(error)))
      .then(() => undefined, onLost);
    return written;
  };

  await write({}, drop);
  return {
    began_at: record.began_at,
    follow: (event) => {
      const change = changeBy(event, record);
      if (change !== null) void write(change, drop);
    },
    end: (error) =>
      write(
        {
          // The comparison with the snapshot before is made after publishing, and is no part of the build.
          ended_at: record.ended_at ?? CLOCK.now(),
          ...(error === undefined ? {} : { outcome: 'failed', failure: recordedFailure(error) }),
        },
        withReserve,
      ),
  };
}

/** The progress that an event reports; null for an event without progress. */
function changeBy(event: BuildEvent, before: Attempt): Partial<Attempt> | null {
  if (event.kind === 'table.written') {
    const { table: name, rows, bytes, ms } = event;
    const tables = [...before.tables, { name, rows, bytes, ms }];
    const written = { tables, tables_written: tables.length, last_table: name };
    if (tables.length < TABLES.length) return { step: 'tables', ...written };
    return { step: 'audit', ...written, tables_at: CLOCK.now() };
  }
  if (event.kind === 'audit.passed') return { step: 'publish', audited_at: CLOCK.now() };
  if (event.kind === 'totals.incomplete') return { left_out: event.left_out };
  if (event.kind === 'audit.refused') return { kept: event.kept };
  if (event.kind === 'snapshot.published' || event.kind === 'snapshot.superseded') {
    const outcome = event.kind === 'snapshot.published' ? 'published' : 'superseded';
    // Not the clock again: the record, the terminal and the queue tell one duration.
    const ended_at = before.began_at + fromMs(event.ms);
    return { step: 'done', outcome, snapshot_id: event.snapshot, ended_at };
  }
  if (event.kind === 'snapshot.skipped') {
    return { step: 'done', outcome: 'skipped', snapshot_id: event.snapshot };
  }
  return null;
}

function recordedFailure(error: unknown): NonNullable<Attempt['failure']> {
  const classes = errorFields(error).error ?? null;
  if (isCrossfootError(error)) return { ...failureOf(error), error: classes };
  return {
    code: 'unforeseen',
    message: 'The build failed with an unexpected error; its log line has the details.',
    hint: null,
    error: classes,
  };
}

/** A full disk drops a state: the record of the end repeats everything. */
function drop(): void {}
