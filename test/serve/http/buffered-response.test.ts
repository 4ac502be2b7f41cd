import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { sendBuffered, BufferedResponse } from '../../../src/serve/http/buffered-response.ts';

const BYTES = new Uint8Array([0, 104, 105, 255]);

test('a buffered response is a response like any other', async () => {
  const answer = new BufferedResponse(BYTES, { status: 206, headers: { etag: '"x"' } });
  answer.headers.set('vary', 'Authorization');
  expect(answer.status).toBe(206);
  expect([...answer.headers]).toEqual([
    ['etag', '"x"'],
    ['vary', 'Authorization'],
  ]);
  expect(answer.content).toBe(BYTES);
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(BYTES);
});

test('a buffered response is sent with its status, its headers and its bytes, and without bytes to HEAD', async () => {
  await using server = createServer((_, outgoing) =>
    sendBuffered(
      new BufferedResponse(BYTES, {
        status: 206,
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
          ['content-length', '4'],
        ],
      }),
      outgoing,
    ),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

  const got = await fetch(url);
  expect(got.status).toBe(206);
  expect(got.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(new Uint8Array(await got.arrayBuffer())).toEqual(BYTES);

  const head = await fetch(url, { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe('4');
  expect((await head.arrayBuffer()).byteLength).toBe(0);
  server.closeAllConnections();
});
