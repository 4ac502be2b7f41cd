import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import * as fc from 'fast-check';
import type { Connection } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CopyQuery } from '../../../src/ledger/moment/copy-query.ts';
import { copyOut } from '../../../src/ledger/moment/copy.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';

function message(letter: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + text.length);
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(text, 'latin1')]);
}

/** A connection whose server says what the test makes it say; the rest of the answer is kept for its driver. */
class ScriptedConnection extends EventEmitter {
  readonly stream = new PassThrough();
  readonly asked: string[] = [];
  readonly #toDriver: Buffer[] = [];

  constructor() {
    super();
    this.stream.on('data', (chunk: Buffer) => this.#toDriver.push(Buffer.from(chunk)));
  }

  query(text: string): void {
    this.asked.push(text);
  }

  get readByDriver(): string {
    return Buffer.concat(this.#toDriver).toString('latin1');
  }
}

async function read(chunks: readonly Buffer[]): Promise<{ payload: string; connection: ScriptedConnection }> {
  const connection = new ScriptedConnection();
  const query = new CopyQuery('copy t to stdout');
  query.submit(connection as unknown as Connection); // what a copy uses of one
  const payload: Buffer[] = [];
  query.on('data', (chunk: Buffer) => payload.push(Buffer.from(chunk)));
  const ended = once(query, 'end');
  for (const chunk of chunks) connection.stream.write(chunk);
  await ended;
  return { payload: Buffer.concat(payload).toString('latin1'), connection };
}

const texts = fc.string({ unit: 'binary-ascii', maxLength: 12 });
const data = texts.map((text) => ({ text, bytes: message('d', text) }));
const beside = fc
  .tuple(fc.constantFrom('S', 'N', 'A'), texts)
  .map(([letter, text]) => ({ text: '', bytes: message(letter, text) }));

describe('the payload of a COPY', () => {
  it('is the same for any chunks of messages, and later messages go to the driver', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: data }, beside), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        async (messages, sizes) => {
          const after = Buffer.concat([message('c', ''), message('C', 'COPY 3\0'), message('Z', 'I')]);
          const sent = Buffer.concat([
            message('H', '\x01\0\0'),
            ...messages.map(({ bytes }) => bytes),
            after,
          ]);
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < sent.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(Buffer.from(sent.subarray(at, at + size)));
            at += size;
          }
          const { payload, connection } = await read(chunks);
          expect(payload).toBe(messages.map(({ text }) => text).join(''));
          expect(connection.asked).toEqual(['copy t to stdout']);
          // The end comes to the driver in as many turns as the rest took.
          while (connection.readByDriver.length < after.length) await once(connection.stream, 'data');
          expect(connection.readByDriver).toBe(after.toString('latin1'));
        },
      ),
    );
  });

  it('is not asked for while the reader is busy', async () => {
    const connection = new ScriptedConnection();
    const query = new CopyQuery('copy t to stdout');
    query.submit(connection as unknown as Connection); // what a copy uses of one
    connection.stream.write(message('H', '\x01\0\0'));
    const paused = once(connection.stream, 'pause');
    connection.stream.write(message('d', 'x'.repeat(query.readableHighWaterMark)));
    await paused;
    expect(query.read()).toHaveLength(query.readableHighWaterMark);
    expect(connection.stream.isPaused()).toBe(false);
  });

  it('refuses a connection whose socket others read as well', () => {
    const connection = new ScriptedConnection();
    connection.stream.on('data', () => undefined);
    const query = new CopyQuery('copy t to stdout');
    expect(() => query.submit(connection as unknown as Connection)).toThrow(
      'another listener than the driver',
    );
  });
});

describe('the confirmation of a COPY', () => {
  it('is the number of rows, reported once the connection is free', async () => {
    const query = new CopyQuery('copy t to stdout');
    query.handleCommandComplete({ text: 'COPY 12' });
    query.handleReadyForQuery();
    await expect(query.settled).resolves.toBe(12);
  });

  it('fails with what PostgreSQL says after the last byte of data', async () => {
    const query = new CopyQuery('copy t to stdout');
    query.on('error', () => undefined);
    query.handleError(new Error('deadlock detected'));
    await expect(query.settled).rejects.toThrow('deadlock detected');
  });
});

describe('a COPY of PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
    const admin = await database.admin();
    await admin.query(`
      create function public.with_notice(i int) returns int language plpgsql as
        $$ begin raise notice 'row %', i; return i; end $$`);
  });
  afterAll(() => database.drop());

  it('holds no notice that was raised between its rows', async () => {
    const client = await database.client('cf_reader');
    const select = 'select public.with_notice(i) from generate_series(1, 3) i';
    const copy = copyOut(client, select, new AbortController().signal);
    const chunks: Buffer[] = [];
    for await (const chunk of copy.source) chunks.push(Buffer.from(chunk));
    // Signature, flags and extension: 19. A row of one int4: 2 + 4 + 4, three times. The trailer: 2.
    expect({ bytes: Buffer.concat(chunks).length, rows: copy.rowsSent() }).toEqual({ bytes: 51, rows: 3 });
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
