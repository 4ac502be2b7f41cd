/** A server that starts reads a log with a damaged entry: it serves what is sound, and builds nothing. */
import { randomUUID } from 'node:crypto';
import * as promises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCrossfootError } from '../../../src/errors.ts';
import { readKnownLog } from '../../../src/snapshot/builder/build-start.ts';
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { logKey } from '../../../src/snapshot/format/keys.ts';
import { readLog } from '../../../src/snapshot/read/read-log.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { type SeenHead, type SeenHeads, watchHeads } from '../../../src/snapshot/read/seen-heads.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import type { Store } from '../../../src/store/store.ts';
import { openScripted } from '../../store/bucket-harness.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { aBuild, ACCOUNT, DAY, MIDNIGHT, clockAt, publishNow } from '../builder/build-harness.ts';
import { aSignedBuild, signedStore } from '../builder/signed-build.ts';

const ENTRIES = [1, 2, 3];
const IDS = ['20260301T000000Z', '20260302T000000Z', '20260303T000000Z'];
const NOW = MIDNIGHT + 3n * DAY;

let root: string;
let s3: ScriptedS3;
beforeAll(async () => {
  root = await promises.mkdtemp(join(tmpdir(), 'crossfoot-damaged-log-'));
  s3 = await startScriptedS3();
});
afterAll(async () => {
  await promises.rm(root, { recursive: true });
  await s3[Symbol.asyncDispose]();
});

type Damage = (body: Buffer) => Buffer | null;
const text = (body: Buffer, change: (text: string) => string): Buffer => Buffer.from(change(String(body)));
const DAMAGES: Readonly<Record<string, Damage>> = {
  'has one byte more': (body) => Buffer.concat([body, Buffer.from(' ')]),
  'is cut off': (body) => body.subarray(0, -20),
  'is empty': () => Buffer.alloc(0),
  'is no JSON': () => Buffer.from('<html>'),
  'is longer than any entry': () => Buffer.alloc(20_000, 'x'),
  'names another entry before it': (body) =>
    text(body, (json) => json.replace(/"prev_sha256":"[0-9a-f]{64}"/, `"prev_sha256":"${'e'.repeat(64)}"`)),
  'is missing': () => null,
};

const STORES: Readonly<Record<string, () => Store | Promise<Store>>> = {
  memory: () => memoryStore(),
  folder: () => openFolderStore({ fs: promises, root: join(root, randomUUID()), randomUuid: randomUUID }),
  'scripted S3': () => openScripted(s3),
};

async function publishThree(store: Store, build = aBuild): Promise<Store> {
  for (const seq of ENTRIES) await publishNow(store, build(`build ${seq}`, MIDNIGHT + BigInt(seq - 1) * DAY));
  return store;
}

async function replace(store: Store, seq: number, body: Uint8Array | null): Promise<void> {
  await store.delete(logKey(ACCOUNT, seq));
  if (body !== null) await store.create(logKey(ACCOUNT, seq), body);
}

async function entryOf(store: Store, seq: number): Promise<Buffer> {
  return Buffer.from((await store.readSmall(logKey(ACCOUNT, seq), 16_384)) ?? []);
}

/** Two memories of the third entry, as a folder and a database have them. */
async function seenAll(store: Store) {
  const { entries, head_sha256 } = await readLog(store, ACCOUNT);
  const kept: (SeenHead | null)[] = [0, 1].map(() => {
    return { generation: 0n, seq: entries.length, entry_sha256: head_sha256 };
  });
  const memories = kept.map((_, index): SeenHeads => ({
    read: async () => kept[index] ?? null,
    write: async (__, head) => void (kept[index] = head),
  }));
  return { kept, memories, before: structuredClone(kept) };
}

/** A server and a builder that start now. */
function started(store: Store, memories: readonly SeenHeads[]) {
  const clock = { now: NOW };
  const tools = { store, now: () => clock.now, onFault: () => undefined };
  return {
    clock,
    reader: createReader({ ...tools, checkHead: watchHeads(memories) }),
    build: () => readKnownLog(ACCOUNT, { store, clock: clockAt(NOW), checkHead: watchHeads(memories) }),
  };
}

/** The ids of an answer, or the code and the entry of its refusal. */
async function outcomeOf(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    return isCrossfootError(error) ? [error.code, error.data['seq']] : error;
  }
}

/** What a server and a builder that start now make of the log. */
async function madeOf(store: Store, { kept, memories }: Awaited<ReturnType<typeof seenAll>>) {
  const { reader, build } = started(store, memories);
  return {
    latest: await outcomeOf(reader.latest(ACCOUNT).then((each) => each?.snapshot_id)),
    list: await outcomeOf(
      reader.list(ACCOUNT).then((all) => all.map(({ snapshot_id }) => snapshot_id).toReversed()),
    ),
    pinned: await Promise.all(
      IDS.map((id) => outcomeOf(reader.pinned(ACCOUNT, id).then((each) => each?.snapshot_id))),
    ),
    broken: [await reader.logBrokenAt(ACCOUNT), await reader.countBrokenLogs()],
    built: await outcomeOf(build()),
    kept,
  };
}

/** The log is served up to the damaged entry, and nothing is built; the seen heads stay. */
function soundBefore(seq: number, { before }: Awaited<ReturnType<typeof seenAll>>) {
  const refused = ['publish_log_broken', seq];
  const sound = IDS.slice(0, seq - 1);
  return {
    latest: sound.at(-1) ?? refused,
    list: sound.length === 0 ? refused : sound,
    pinned: IDS.map((id) => (sound.includes(id) ? id : refused)),
    broken: [seq, 1],
    built: refused,
    kept: before,
  };
}

describe.each(Object.entries(STORES))('a publish log in %s that was read to its end before', (_, open) => {
  it.each(ENTRIES)('is served up to its entry %i that is damaged, and nothing is built', async (seq) => {
    const store = await publishThree(await open());
    const seen = await seenAll(store);
    const sound = await entryOf(store, seq);
    for (const [wrong, damage] of Object.entries(DAMAGES)) {
      await replace(store, seq, damage(sound));
      if (wrong === 'is missing' && seq === ENTRIES.length) continue; // the log went back, see below
      expect({ wrong, ...(await madeOf(store, seen)) }).toEqual({ wrong, ...soundBefore(seq, seen) });
    }
    await replace(store, seq, sound);
    const { reader } = started(store, seen.memories);
    expect((await reader.latest(ACCOUNT))?.snapshot_id).toBe(IDS[2]);
    expect(await reader.countBrokenLogs()).toBe(0);
  });

  it('is served up to the first of several damaged entries', async () => {
    const store = await publishThree(await open());
    const seen = await seenAll(store);
    for (const seq of [2, 3]) await replace(store, seq, Buffer.from('{}'));
    expect(await madeOf(store, seen)).toEqual(soundBefore(2, seen));
  });

  it('is refused when it went back, also if its last entry is damaged', async () => {
    const store = await publishThree(await open());
    const { memories } = await seenAll(store);
    const second = await entryOf(store, 2);
    const expectRefused = async (): Promise<void> => {
      const { reader } = started(store, memories);
      await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({
        code: 'log_older',
        message: 'publish log of account 7: ends at entry 2; expected entry 3, which was seen before.',
      });
    };
    await replace(store, 3, null);
    await expectRefused();
    await replace(store, 2, Buffer.concat([second, Buffer.from(' ')]));
    await expectRefused();
  });

  it('is refused when a damaged entry stands before another entry than the seen one', async () => {
    const store = await publishThree(await open());
    const { memories } = await seenAll(store);
    const other = await publishThree(memoryStore(), (label, at) => aBuild(`other ${label}`, at));
    const theirs = await entryOf(other, 3);
    await replace(store, 2, Buffer.from('{}'));
    await replace(store, 3, theirs);
    const { reader } = started(store, memories);
    await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({
      code: 'log_older',
      message: expect.stringContaining(`has a different entry 3 from the one seen before`),
      data: { found: sha256Hex(theirs) },
    });
  });

  it('is refused when it went back while a server reads it broken', async () => {
    const store = await publishThree(await open());
    const { memories } = await seenAll(store);
    await replace(store, 2, Buffer.from('{}'));
    const { reader, clock } = started(store, memories);
    expect((await reader.latest(ACCOUNT))?.snapshot_id).toBe(IDS[0]);
    await replace(store, 3, null);
    clock.now += 10_000_000n;
    await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({ code: 'log_older' });
  });
});

it.each(ENTRIES)('a signed log is served up to its entry %i whose signature is wrong', async (seq) => {
  const store = await publishThree(signedStore({ now: NOW }), aSignedBuild);
  const seen = await seenAll(store);
  const sound = await entryOf(store, seq);
  await replace(
    store,
    seq,
    text(sound, (json) => json.replace(/"builder":"[^"]*"/, '"builder":"another"')),
  );
  expect(await madeOf(store, seen)).toEqual(soundBefore(seq, seen));
});

// Before its first signed entry, a log may be unsigned.
it.each([2, 3])('a signed log is served up to its entry %i that is not signed', async (seq) => {
  const store = await publishThree(signedStore({ now: NOW }), aSignedBuild);
  const seen = await seenAll(store);
  const sound = await entryOf(store, seq);
  await replace(
    store,
    seq,
    text(sound, (json) => json.replace(/,"sshsig":.*"sshsig_key":"[^"]*"/, '')),
  );
  expect(await madeOf(store, seen)).toEqual(soundBefore(seq, seen));
});
