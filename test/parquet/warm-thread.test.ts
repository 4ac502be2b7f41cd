import { describe, expect, it, onTestFinished } from 'vitest';
import { WarmThread } from '../../src/parquet/warm-thread.ts';
import { writeCopy, writeRows } from '../../src/parquet/write.ts';
import type { Row } from '../../src/parquet/row-fields.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { copyBinary, inPieces } from '../support/copy-binary.ts';
import { copyRows, everyKind, valueRows } from './every-kind.ts';

const constants = { snapshot_id: '20260131T235959Z' };
const sink = async (): Promise<void> => undefined;

const names = defineTable({
  name: 'names',
  grain: 'one row per number',
  description: 'Numbers and what they are called.',
  key: ['an_id'],
  from: null,
  columns: [column('an_id', 'id', 'A number.'), column('a_name', 'string?', 'Its name.')],
});

function* named(count: number): Generator<Row> {
  for (let row = 0; row < count; row++) yield { an_id: BigInt(row), a_name: `n° ${row % 7}` };
}

function warm(): WarmThread {
  const thread = new WarmThread();
  onTestFinished(() => thread[Symbol.asyncDispose]());
  return thread;
}

/** The digests of three unlike files: every kind from COPY, more rows than a batch holds, and no rows at all. */
async function digests(thread?: WarmThread): Promise<string[]> {
  const job = { constants, sink, thread };
  const source = inPieces(copyBinary(copyRows));
  const files = [
    await writeCopy({
      ...job,
      table: everyKind,
      metadata: { n: '1' },
      source,
      rowsSent: () => copyRows.length,
    }),
    await writeRows({ ...job, table: names, metadata: { n: '2' }, rows: named(20_000) }),
    await writeRows({ ...job, table: everyKind, metadata: { n: '3' }, rows: [] }),
  ];
  return files.map(({ sha256 }) => sha256);
}

describe('a warm thread', () => {
  it('writes the same bytes as a new thread, after any earlier file', async () => {
    const alone = await digests();
    const thread = warm();
    expect(await digests(thread)).toEqual(alone);
    expect(await digests(thread)).toEqual(alone);
  });

  it('writes one file after the other in the same thread', async () => {
    const thread = warm();
    const first = thread.take();
    await thread.giveBack(first, 0);
    await digests(thread);
    expect(thread.take()).toBe(first);
    await first.terminate();
  });

  it('is replaced once its memory has grown beyond 64 MiB', async () => {
    const thread = warm();
    const first = thread.take();
    await thread.giveBack(first, 64 * 1024 * 1024);
    expect(thread.take()).toBe(first);
    await thread.giveBack(first, 64 * 1024 * 1024 + 1);
    expect(first.threadId).toBe(-1);
    const second = thread.take();
    expect(second).not.toBe(first);
    await second.terminate();
  });

  it('stays for a pause after small files, and ends before one after a large file', async () => {
    const thread = warm();
    const first = thread.take();
    await thread.giveBack(first, 32 * 1024 * 1024);
    await thread.rest();
    expect(thread.take()).toBe(first);
    await thread.giveBack(first, 32 * 1024 * 1024 + 1);
    // A small file comes last.
    expect(thread.take()).toBe(first);
    await thread.giveBack(first, 0);
    await thread.rest();
    expect(first.threadId).toBe(-1);
  });

  it('stays for a pause if the large files came before an earlier pause', async () => {
    const thread = warm();
    await thread.giveBack(thread.take(), 64 * 1024 * 1024 + 1);
    await thread.rest();
    const second = thread.take();
    await thread.giveBack(second, 0);
    await thread.rest();
    expect(thread.take()).toBe(second);
    await second.terminate();
  });

  it('goes on in another thread after a file that failed', async () => {
    const thread = warm();
    const rows = [...valueRows, {}];
    const failed = writeRows({ table: everyKind, constants, metadata: {}, sink, thread, rows });
    await expect(failed).rejects.toMatchObject({ code: 'value_not_of_kind' });
    expect(await digests(thread)).toEqual(await digests());
  });

  it('is not handed out if it ended while it was idle', async () => {
    const thread = warm();
    const first = thread.take();
    await thread.giveBack(first, 0);
    await first.terminate();
    const second = thread.take();
    expect(second).not.toBe(first);
    await second.terminate();
  });

  it('serves two files at a time, one of them in a thread that it does not keep', async () => {
    const thread = warm();
    const [one, other] = [thread.take(), thread.take()];
    await thread.giveBack(one, 0);
    await thread.giveBack(other, 0);
    expect([one.threadId === -1, other.threadId === -1]).toEqual([false, true]);
  });

  it('ends when it is disposed of', async () => {
    const thread = new WarmThread();
    const worker = thread.take();
    await thread.giveBack(worker, 0);
    await thread[Symbol.asyncDispose]();
    expect(worker.threadId).toBe(-1);
  });
});
