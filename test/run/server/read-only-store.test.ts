/** What only reads must run where the store cannot be written: a read-only mount, or credentials that may only read. */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { addSnapshotsCommand } from '../../../src/commands/snapshots.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { openS3Store } from '../../../src/store/s3.ts';
import type { Store } from '../../../src/store/store.ts';
import { aBuild, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { issueToken, startOver } from './service-harness.ts';
import { runCommand } from '../../commands/in-process.ts';
import { get } from '../../commands/published.ts';
import { SEED } from '../../support/signing.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const ID = '20260301T000000Z';
const WRITES = new Set(['PUT', 'POST', 'DELETE']);

let database: TestDatabase;
let folder: string;
let s3: ScriptedS3;
beforeAll(async () => {
  database = await createDatabase('template_company');
  folder = await fs.realpath(await fs.mkdtemp(join(tmpdir(), 'crossfoot-read-only-')));
  s3 = await startScriptedS3();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3[Symbol.asyncDispose]();
  await fs.rm(folder, { recursive: true });
  await database.drop();
});

async function publishIn(store: Store): Promise<void> {
  await publishNow(store, { ...aBuild('only', MIDNIGHT), account_id: 1n });
}

const bucketEnv = (): Record<string, string> => ({
  DATA_DIR: folder,
  OBJECT_STORE: `s3://${BUCKET}/only`,
  S3_ENDPOINT: s3.endpoint,
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
});

/** The status and the id that `latest` is answered with by a server of its own, and whether that server is ready. */
async function latestFrom(env: Readonly<Record<string, string>>) {
  const { token } = await issueToken(database);
  const service = await startOver(database, { DATA_DIR: folder, ...env });
  try {
    const latest = await get(`${service.baseUrl}/reporting/latest`, token);
    const { snapshot_id } = (await latest.json()) as { snapshot_id?: string };
    const ready = await get(new URL('/readyz', service.baseUrl).href);
    return { status: latest.status, snapshot_id, ready: ready.status };
  } finally {
    await service[Symbol.asyncDispose]();
  }
}

describe('credentials that may only read a bucket', () => {
  it('are enough for serve and for commands that read, which send no write', async () => {
    const { endpoint } = s3;
    const location = new URL(`s3://${BUCKET}/only`);
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
    const options = { endpoint, location, credentials, region: null, encryption: null } as const;
    await publishIn(openS3Store({ ...options, checksums: 'stored' }));
    s3.script(({ method }) => (WRITES.has(method) ? { answer: 403, code: 'AccessDenied' } : null));
    const before = s3.asked.length;
    expect(await latestFrom(bucketEnv())).toEqual({ status: 200, snapshot_id: ID, ready: 200 });
    const listed = await runCommand(
      addSnapshotsCommand,
      bucketEnv(),
      'snapshots',
      '--account',
      '1',
      '--json',
    );
    expect(listed.error).toBeUndefined();
    expect(JSON.parse(listed.printed.join('\n'))).toMatchObject([{ snapshot_id: ID }]);
    const sent = s3.asked.slice(before).map(({ method }) => method);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((method) => WRITES.has(method))).toEqual([]);
  });

  itInSweeps('are refused by build, which proves first that it may write', async () => {
    s3.script(({ method }) => (WRITES.has(method) ? { answer: 403, code: 'AccessDenied' } : null));
    const urls = {
      DATABASE_URL: database.url('cf_service'),
      SIGNING_KEYS: SEED,
      LEDGER_URL: database.url('cf_reader'),
    };
    const ran = await runCommand(addBuildCommand, { ...bucketEnv(), ...urls }, 'build', '--account', '1');
    expect(ran.error).toMatchObject({
      code: 'store_self_test_failed',
      message: expect.stringContaining('AccessDenied'),
    });
  });
});

describe('a folder', () => {
  it('is served without one name in it being made, changed or removed', async () => {
    const root = join(folder, 'objects');
    await publishIn(await openFolderStore({ fs, root, randomUuid: randomUUID }));
    const names = async (): Promise<unknown> => {
      const found = await fs.readdir(root, { recursive: true });
      const changed = found.map(async (name) => [name, (await fs.stat(join(root, name))).ctimeMs]);
      return await Promise.all(changed);
    };
    const before = await names();
    expect(await latestFrom({})).toEqual({ status: 200, snapshot_id: ID, ready: 200 });
    expect(await names()).toEqual(before);
  });

  it('that is absent is served as an empty store, and not made', async () => {
    const env = { OBJECT_STORE: `file://${join(folder, 'absent')}` };
    expect(await latestFrom(env)).toEqual({ status: 404, snapshot_id: undefined, ready: 200 });
    expect(await fs.readdir(folder)).not.toContain('absent');
  });
});
