import type { Socket } from 'node:net';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { streamedRows } from '../../../src/ledger/moment/streamed-rows.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

let database: TestDatabase;
let reader: Client;
let watcher: Client;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
  watcher = await database.client('cf_reader');
});
afterAll(() => database.drop());

const numbers = (to: number): string => `select n::bigint as n from generate_series(1, ${to}) as n`;

it('the stream gives a slow reader all rows of a statement in order, even when they are more than it holds at once', async () => {
  let next = 1n;
  for await (const { n } of streamedRows<{ n: bigint }>(reader, numbers(100_000))) {
    expect(n).toBe(next);
    next += 1n;
    // Meanwhile the socket delivers more rows than were read.
    if (n % 10_000n === 0n) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(next).toBe(100_001n);
});

/** Starts a stream of 200 MB, reads one row, and returns the stream and the PostgreSQL process that sends it. */
async function beginStream(client: Client) {
  const { rows: asked } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const rows = streamedRows(client, `select repeat('x', 10000) from generate_series(1, 20000)`);
  await rows.next();
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  return { rows, stream, pid: asked[0]?.pid ?? 0 };
}

/** True if PostgreSQL has more rows to send and waits until the client reads what it has sent. */
async function isHeld({ pid, stream }: Pick<Awaited<ReturnType<typeof beginStream>>, 'pid' | 'stream'>) {
  for (let still = 0, taken = 0; still < 10;) {
    const { rows } = await watcher.query<{ state: string; wait_event: string | null }>(
      'select state, wait_event from pg_stat_activity where pid = $1',
      [pid],
    );
    if (rows[0]?.state !== 'active') return false;
    still = rows[0].wait_event === 'ClientWrite' && stream.bytesRead === taken ? still + 1 : 0;
    taken = stream.bytesRead;
  }
  return true;
}

it('the stream holds a few of the unread rows, and lets PostgreSQL hold the others', async () => {
  const { rows, ...held } = await beginStream(reader);
  expect(await isHeld(held)).toBe(true);
  let left = 0;
  for await (const _ of rows) left += 1;
  expect(left).toBe(19_999);
});

it('the stream of an empty result has no rows', async () => {
  expect(await Array.fromAsync(streamedRows(reader, numbers(0)))).toEqual([]);
});

it('the stream leaves the connection to the next statement, also if its reader stops early', async () => {
  const { rows, ...held } = await beginStream(reader);
  expect(await isHeld(held)).toBe(true);
  await rows.return(undefined);
  expect((await reader.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

it('a connection that is lost after its reader stopped raises no error', async () => {
  const lost = await database.client('cf_reader');
  const { rows, ...held } = await beginStream(lost);
  expect(await isHeld(held)).toBe(true);
  await rows.return(undefined);
  const ended = new Promise<void>((resolve) => {
    lost.once('end', resolve);
  });
  await watcher.query('select pg_terminate_backend($1)', [held.pid]);
  await ended;
});

it('the stream fails where the statement does, after the rows that came before', async () => {
  const rows = streamedRows<{ q: number }>(reader, 'select 6 / (3 - n) as q from generate_series(1, 3) as n');
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    for await (const { q } of rows) seen.push(q);
  };
  await expect(read()).rejects.toMatchObject({ code: '22012' });
  expect(seen).toEqual([3, 6]);
});
