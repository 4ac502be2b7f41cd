/** The memory of blocks: used again only after its one response has sent it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { sendPieces } from '../../../src/serve/http/send-pieces.ts';
import { listen } from '../../../src/serve/http/server.ts';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import { giveBackMemory, lendMemory, takeMemory } from '../../../src/snapshot/read/block-memory.ts';
import { CheckedBytes } from '../../../src/snapshot/read/checked-bytes.ts';
import { openStream, readChecked } from '../../../src/snapshot/read/checked-read.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { stored } from './stored-blocks.ts';

const BLOCKS = 6;

/** Takes all memory that is free, so that a test begins without any. */
function emptied(): void {
  for (let taken = 0; taken < 10; taken += 1) takeMemory(BLOCK_BYTES);
}

afterEach(emptied);

describe('the memory of a block', () => {
  test('is used again once it was lent and given back, and only by one', () => {
    const memory = takeMemory(BLOCK_BYTES);
    lendMemory(memory);
    giveBackMemory(memory.subarray(5));
    giveBackMemory(memory);
    expect(takeMemory(BLOCK_BYTES).buffer).toBe(memory.buffer);
    expect(takeMemory(BLOCK_BYTES).buffer).not.toBe(memory.buffer);
  });

  test('stays with its owner if it was not lent', () => {
    const memory = takeMemory(BLOCK_BYTES);
    giveBackMemory(memory);
    expect(takeMemory(BLOCK_BYTES).buffer).not.toBe(memory.buffer);
  });

  test('has the requested length, with any free memory', () => {
    const memory = takeMemory(BLOCK_BYTES);
    lendMemory(memory);
    giveBackMemory(memory);
    expect(takeMemory(7)).toHaveLength(7);
    const short = takeMemory(7);
    lendMemory(short);
    giveBackMemory(short);
    expect(takeMemory(BLOCK_BYTES)).toHaveLength(BLOCK_BYTES);
  });

  test('is kept free for four blocks at most', () => {
    const given = Array.from({ length: 6 }, () => takeMemory(BLOCK_BYTES));
    for (const memory of given) lendMemory(memory);
    for (const memory of given) giveBackMemory(memory);
    const again = new Set(Array.from({ length: 6 }, () => takeMemory(BLOCK_BYTES).buffer));
    expect(given.filter(({ buffer }) => again.has(buffer))).toHaveLength(4);
  });
});

/** A file of six blocks and a byte in a folder store. */
async function inFolder() {
  const root = join(tmpdir(), `crossfoot-${randomUUID()}`);
  const bytes = randomBytes(BLOCKS * BLOCK_BYTES + 1);
  const { objects, file } = stored(bytes, BLOCK_BYTES);
  const store = await openFolderStore({ fs, root, randomUuid: randomUUID });
  const keys = new Map([...objects.keys()].map((key) => [key, `v1/probe/${randomUUID()}`]));
  for (const [key, value] of objects) await store.create(keys.get(key) ?? '', value);
  const found = { key: keys.get(file.key) ?? '', blocks_key: keys.get(file.blocks_key) ?? '' };
  return {
    bytes,
    store,
    file: { ...file, ...found },
    [Symbol.asyncDispose]: () => fs.rm(root, { recursive: true }),
  };
}

describe('a response that reads more of a file than the cache holds', () => {
  test('reads its blocks into the memory of those that it has sent, and caches none', async () => {
    await using folder = await inFolder();
    const cache = new CheckedBytes(BLOCKS * 2 * BLOCK_BYTES);
    const [used, sent] = [new Set<ArrayBuffer>(), Buffer.alloc(folder.bytes.length)];
    let at = 0;
    const options = { cache, scan: true };
    for await (const piece of readChecked(folder.store, folder.file, 0, folder.bytes.length - 1, options)) {
      used.add(piece.buffer);
      sent.set(piece, at);
      at += piece.length;
      giveBackMemory(piece);
    }
    expect(sent.equals(folder.bytes)).toBe(true);
    // One is sent while the next one is read; the last byte has memory of its own.
    expect(used.size).toBeLessThanOrEqual(3);
    await folder.store.delete(folder.file.key);
    await expect(openStream(readChecked(folder.store, folder.file, 0, 0, { cache }))).rejects.toMatchObject({
      code: 'file_corrupt',
    });
  });

  test('shares the blocks with another such response, and then keeps their memory', async () => {
    await using folder = await inFolder();
    const cache = new CheckedBytes(BLOCKS * 2 * BLOCK_BYTES);
    const options = { cache, scan: true };
    const open = () => readChecked(folder.store, folder.file, 0, folder.bytes.length - 1, options);
    const [one, other] = [open(), open()];
    // Both have begun, so only the first block may have been read by one of them alone.
    const first = await Promise.all([one.next(), other.next()]);
    const second = await Promise.all([one.next(), other.next()]);
    expect(first.map(({ done }) => done)).toEqual([false, false]);
    const [mine, theirs] = second.map(({ value }) => value as Uint8Array<ArrayBuffer>);
    expect(mine?.buffer).toBe(theirs?.buffer);
    giveBackMemory(mine ?? new Uint8Array());
    expect(takeMemory(BLOCK_BYTES).buffer).not.toBe(mine?.buffer);
    await Promise.all([one.return(undefined), other.return(undefined)]);
  });

  test('sends right bytes to clients of two files at once, one of which stops for a while', async () => {
    await using a = await inFolder();
    await using b = await inFolder();
    const server = await listen(
      async (request) => {
        const { store, file, bytes } = new URL(request.url).pathname === '/a' ? a : b;
        const pieces = readChecked(store, file, 0, bytes.length - 1, { scan: true });
        return new Response(await openStream(pieces), {
          headers: { 'content-length': String(bytes.length) },
        });
      },
      { host: '127.0.0.1', port: 0, logger: createLogger('error') },
    );
    const at = (path: string): string => `http://127.0.0.1:${server.port}${path}`;
    // Its body is not read until the other file was read three times.
    const slow = await fetch(at('/a'));
    for (let times = 0; times < 3; times += 1) {
      const quick = Buffer.from(await (await fetch(at('/b'))).arrayBuffer());
      expect(quick.equals(b.bytes)).toBe(true);
    }
    expect(Buffer.from(await slow.arrayBuffer()).equals(a.bytes)).toBe(true);
    await server.close(0);
  });
});

/** A response to a socket that takes a piece when it is let. */
function heldSocket() {
  const held: ((error?: Error) => void)[] = [];
  const socket = new Writable({ write: (_chunk, _encoding, taken) => void held.push(taken) });
  const outgoing = new ServerResponse(new IncomingMessage(socket as Socket));
  outgoing.assignSocket(socket as Socket);
  socket.on('drain', () => outgoing.emit('drain')); // as the server does
  return { held, socket, outgoing };
}

function oneBlock(): { readonly block: Uint8Array<ArrayBuffer>; readonly response: Response } {
  const block = takeMemory(BLOCK_BYTES);
  lendMemory(block);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(block);
      controller.close();
    },
  });
  return { block, response: new Response(body, { headers: { 'content-length': String(BLOCK_BYTES) } }) };
}

/** Lets happen what is under way. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

describe('the memory of a piece that is sent', () => {
  test('is not used again before the socket has taken the piece, and then it is', async () => {
    const { held, outgoing } = heldSocket();
    const { block, response } = oneBlock();
    const sent = sendPieces(response, response.body as ReadableStream<Uint8Array>, outgoing);
    await settle();
    while (held.length > 0) {
      // The head, and then the piece: nothing is free before the last of them is taken.
      expect(takeMemory(BLOCK_BYTES).buffer).not.toBe(block.buffer);
      held.shift()?.();
      await settle();
    }
    await sent;
    expect(takeMemory(BLOCK_BYTES).buffer).toBe(block.buffer);
  });

  test('is never used again if the connection broke', async () => {
    const { held, socket, outgoing } = heldSocket();
    socket.on('error', () => undefined);
    const { block, response } = oneBlock();
    const sent = sendPieces(response, response.body as ReadableStream<Uint8Array>, outgoing);
    await settle();
    const closed = once(outgoing, 'close');
    held.shift()?.(new Error('reset'));
    outgoing.destroy();
    outgoing.emit('close'); // as the server does for a closed socket
    await Promise.all([closed, sent]);
    await settle();
    expect(takeMemory(BLOCK_BYTES).buffer).not.toBe(block.buffer);
  });
});
