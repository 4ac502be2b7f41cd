import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { openClient } from '../../../src/ledger/connect.ts';
import { type CopyOut, copyOut } from '../../../src/ledger/moment/copy.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { itInSweeps } from '../../support/sweeps.ts';

let database: TestDatabase;
let admin: Client;
beforeAll(async () => {
  database = await createDatabase();
  admin = await database.admin();
});
afterAll(() => database.drop());

const never = new AbortController().signal;
// About 200 MB: far more than every buffer between PostgreSQL and a reader that pauses.
const LARGE = `select repeat('x', 1000) from generate_series(1, 200000)`;

async function readAll({ source, rowsSent }: CopyOut): Promise<{ bytes: Buffer; rows: number }> {
  const chunks: Buffer[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), rows: rowsSent() };
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

describe('copyOut', () => {
  it('gives the whole COPY and the number of rows PostgreSQL sent', async () => {
    const client = await database.client('cf_reader');
    const { bytes, rows } = await readAll(copyOut(client, 'select i from generate_series(1, 3) i', never));
    expect(rows).toBe(3);
    // Signature, flags and extension: 11 + 4 + 4. A row of one int4: 2 + 4 + 4, three times. The trailer: 2.
    expect(bytes.length).toBe(19 + 3 * 10 + 2);
    expect(bytes.subarray(0, 6).toString()).toBe('PGCOPY');
    expect(bytes.subarray(-2).toString('hex')).toBe('ffff');
  });

  it('gives a header and no rows for an empty select, and leaves the connection usable', async () => {
    const client = await database.client('cf_reader');
    const { bytes, rows } = await readAll(copyOut(client, 'select 1 where false', never));
    expect({ length: bytes.length, rows }).toEqual({ length: 21, rows: 0 });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  it('knows no number of rows before its end', async () => {
    const client = await database.client('cf_reader');
    const copy = copyOut(client, LARGE, never);
    for await (const _ of copy.source) break;
    expect(() => copy.rowsSent()).toThrow('before the COPY ended');
  });

  it('fails when the session is terminated in the middle', async () => {
    const client = await database.client('cf_reader');
    const pid = await backendOf(client);
    const copy = copyOut(client, LARGE, never);
    let received = 0;
    const reading = (async () => {
      for await (const chunk of copy.source) {
        if (received === 0) await admin.query('select pg_terminate_backend($1, 10000)', [pid]);
        received += chunk.length;
      }
    })();
    await expect(reading).rejects.toMatchObject({ code: 'copy_failed' });
    expect(received).toBeGreaterThan(0);
    expect(() => copy.rowsSent()).toThrow('before the COPY ended');
  });

  it('fails when the select fails after rows were sent', async () => {
    const client = await database.client('cf_reader');
    const copy = copyOut(client, 'select 1 / (90000 - i) from generate_series(1, 100000) i', never);
    await expect(readAll(copy)).rejects.toMatchObject({ code: 'copy_failed', data: { sqlstate: '22012' } });
  });

  itInSweeps('fails or is whole, wherever the connection is cut (F-5)', async () => {
    const select = 'select i from generate_series(1, 3) i';
    const outcomes = new Map<number, string>();
    let complete = false;
    for (let limit = 0; !complete; limit += 1) {
      const proxy = await cuttingProxy(new URL(database.url('cf_reader')));
      const url = new URL(database.url('cf_reader'));
      url.port = String(proxy.port);
      const to = { url: url.href, role: 'cf_reader', applicationName: 'cut' };
      const client = await openClient({ ...to, onError: () => undefined });
      proxy.cutAfter(limit);
      const outcome = await readAll(copyOut(client, select, never)).then(
        ({ rows, bytes }) => `${rows} rows in ${bytes.length} bytes`,
        (error: unknown) => (isCrossfootError(error) ? error.code : 'an error without a code'),
      );
      complete = outcome !== 'copy_failed';
      outcomes.set(limit, outcome);
      await client.end();
      await proxy.close();
    }
    // CopyOutResponse 10, then CopyData: the header with the first row 5 + 19 + 10, two rows of 5 + 10, the trailer
    // 5 + 2; CopyDone 5, CommandComplete "COPY 3" 12, ReadyForQuery 6. Only with the last of these it is whole.
    expect([...outcomes].at(-1)).toEqual([10 + 34 + 2 * 15 + 7 + 5 + 12 + 6, '3 rows in 51 bytes']);
    expect(outcomes.size).toBeGreaterThan(1);
  });

  it('cuts the connection when its reader stops early, so that nothing waits behind the rest', async () => {
    const client = await database.client('cf_reader');
    for await (const _ of copyOut(client, LARGE, never).source) break;
    await expect(client.query('select 1')).rejects.toThrow(/not queryable|closed/);
  });

  it('stops at once, with the reason given, when it is aborted', async () => {
    const client = await database.client('cf_reader');
    const controller = new AbortController();
    const reason = new Error('the build was stopped');
    const reading = (async () => {
      for await (const _ of copyOut(client, LARGE, controller.signal).source) controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
  });

  it('sends nothing when it was aborted before', async () => {
    const client = await database.client('cf_reader');
    await expect(readAll(copyOut(client, LARGE, AbortSignal.abort('stopped')))).rejects.toBe('stopped');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});

interface CuttingProxy {
  readonly port: number;
  /** Passes this many more bytes from the server, then cuts both sides without a word. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

async function cuttingProxy(target: URL): Promise<CuttingProxy> {
  let left = Number.POSITIVE_INFINITY;
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const far = connect(Number(target.port), target.hostname);
    sockets.push(client, far);
    for (const socket of [client, far]) socket.on('error', () => undefined);
    client.pipe(far);
    far.on('data', (chunk) => {
      client.write(chunk.subarray(0, Math.max(left, 0)));
      left -= chunk.length;
      if (left < 0) sockets.forEach((socket) => socket.destroySoon());
    });
    far.on('close', () => client.destroySoon());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // A listening TCP socket has one.
    cutAfter: (bytes) => {
      left = bytes;
    },
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
