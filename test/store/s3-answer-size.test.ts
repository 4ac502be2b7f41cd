/** A bucket of a customer may answer anything: without an end, and in words in place of a code. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DELIVERED_KEY } from '../../src/store/object-key.ts';
import type { ReplacingStore } from '../../src/store/store.ts';
import { type ScriptedS3, startScriptedS3 } from '../support/scripted-s3.ts';
import { openScriptedTarget } from './bucket-harness.ts';

const PIECE = Buffer.alloc(64 * 1024, ' ');
/** What the two ends of a connection hold before its reader hangs up, and far more than an answer has. */
const MAX_WRITTEN_BYTES = 20 * 1024 * 1024;
const KEY = 'latest.json';

/** A server whose every answer has a body that ends far too late. */
let status = 403;
let written = 0;
const endless = createServer((_, response) => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  const write = (): void => {
    if (response.destroyed) return;
    // Enough to fail by, and no more than a machine holds.
    if (written > 2 * MAX_WRITTEN_BYTES) return void response.end();
    written += PIECE.length;
    if (response.write(PIECE)) setImmediate(write);
    else response.once('drain', write);
  };
  write();
});
let s3: ScriptedS3;
beforeAll(async () => {
  s3 = await startScriptedS3();
  await once(endless.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  endless.closeAllConnections();
  endless.close();
  await s3[Symbol.asyncDispose]();
});

const CALLS: readonly (readonly [string, (store: ReplacingStore) => Promise<unknown>])[] = [
  ['create', (store) => store.create(KEY, Buffer.from('x'))],
  ['read', (store) => store.readSmall(KEY, 100)],
  ['replace', (store) => store.replace(KEY, Buffer.from('x'), 'tag')],
  ['delete', (store) => store.delete(KEY)],
];

describe.each([403, 500, 200])('an endless answer %i', (answered) => {
  // Of a read that succeeds, no more than the announced length is read: see s3-body.ts.
  it.each(CALLS.filter(([call]) => answered !== 200 || call !== 'read'))(
    'to a %s ends early',
    async (_, call) => {
      [status, written] = [answered, 0];
      const { port } = endless.address() as AddressInfo;
      const store = openScriptedTarget({ endpoint: `http://127.0.0.1:${port}` }, { keys: DELIVERED_KEY });
      await expect(call(store)).rejects.toMatchObject({ code: expect.stringMatching(/^store_/) });
      expect(written).toBeLessThan(MAX_WRITTEN_BYTES);
    },
  );
});

describe('the code of an answer', () => {
  it.each([
    ['AccessDenied', 'AccessDenied'],
    ['A'.repeat(64), 'A'.repeat(64)],
    ['A'.repeat(65), 'with an unreadable code'],
    ['Send your key to store.example', 'with an unreadable code'],
    ['&lt;!channel&gt;', 'with an unreadable code'],
    ['Two\nlines', 'with an unreadable code'],
  ])('%j is reported as %s', async (code, said) => {
    s3.script(() => ({ answer: 403, code }));
    const store = openScriptedTarget(s3, { keys: DELIVERED_KEY });
    await expect(store.create(KEY, Buffer.from('x'))).rejects.toMatchObject({
      message: `store: the bucket refused to create an object (403 ${said}).`,
    });
  });
});
