/** How the folder of a pull remembers its log, its key and its tables; in this process, as `crossfoot pull` runs it. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullOptions, type Pulled, pull } from '../../src/client/pull.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { OTHER_SEED, PUBLIC_KEY } from '../support/signing.ts';
import { nightId, type SignedServer, startSigned } from './signed-server.ts';

const OTHER_KEY = signingKeyOf(OTHER_SEED).public_key.openssh;

let to: string;
let server: SignedServer;
beforeEach(async () => {
  [to, server] = [await mkdtemp(join(tmpdir(), 'crossfoot-memory-')), await startSigned()];
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pullWith = (changed: Partial<PullOptions> = {}): Promise<Pulled> =>
  pull(
    {
      url: server.url,
      token: 'a',
      to,
      snapshot: 'latest',
      tables: null,
      retracted: false,
      keys: [],
      ...changed,
    },
    { say: () => undefined, signal: new AbortController().signal },
  );

/** The names of the tables that the control file lists. */
async function listed(): Promise<readonly string[]> {
  const { tables } = JSON.parse(await readFile(join(to, 'latest.json'), 'utf8')) as {
    readonly tables: readonly { readonly table: string }[];
  };
  return tables.map(({ table }) => table);
}

describe('the folder of a pull', () => {
  it('remembers the newest entry of the log when an older snapshot is pulled by its id', async () => {
    server.publish();
    server.publish();
    await pullWith();
    expect(await pullWith({ snapshot: nightId(0) })).toMatchObject({ snapshot_id: nightId(0), isNew: true });
    expect(JSON.parse(await readFile(join(to, '.log-head.json'), 'utf8'))).toMatchObject({
      seq: 3,
      snapshot_id: nightId(2),
    });
    // A log that lost its third entry is therefore still refused.
    server.files.set('/v1/reporting/latest', server.files.get(`/v1/reporting/snapshots/${nightId(1)}`) ?? '');
    await expect(pullWith()).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('the newest entry of the publish log is 2, and the last pull saw 3'),
    });
  });

  it('holds a snapshot that a pull with another key refuses, and a pull with its own key finds again', async () => {
    await pullWith({ keys: [PUBLIC_KEY] });
    await expect(pullWith({ keys: [OTHER_KEY] })).rejects.toMatchObject({
      exit: 3,
      message: expect.stringContaining('which is not trusted'),
    });
    expect(await pullWith({ keys: [PUBLIC_KEY] })).toMatchObject({ isNew: false });
  });

  it('lists in its control file the tables that a later pull of the same snapshot adds', async () => {
    expect(await pullWith({ tables: ['costs'] })).toMatchObject({ isNew: true });
    expect(await listed()).toEqual(['costs']);
    expect(await pullWith()).toMatchObject({ isNew: true });
    expect(await listed()).toEqual(['costs', 'snapshot']);
    expect(await pullWith()).toMatchObject({ isNew: false });
  });
});
