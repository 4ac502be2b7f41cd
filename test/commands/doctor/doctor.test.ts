import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDoctorCommand } from '../../../src/commands/doctor/doctor.ts';
import type { Examined } from '../../../src/commands/doctor/examine.ts';
import { addRetractCommand } from '../../../src/commands/retract.ts';
import { CLOCK } from '../../../src/run/machine.ts';
import { snapshotIdOf } from '../../../src/snapshot/format/snapshot-id.ts';
import { openFolderStore } from '../../../src/store/folder.ts';
import { aBuild, DAY, publishNow } from '../../snapshot/builder/build-harness.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { runCommand } from '../in-process.ts';
import { SEED } from '../../support/signing.ts';

let database: TestDatabase;
let folder: string;
let s3: ScriptedS3;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  [database, folder, s3] = await Promise.all([
    createDatabase('template_company'),
    fs.mkdtemp(join(tmpdir(), 'crossfoot-doctor-')),
    startScriptedS3(),
  ]);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  env = {
    LEDGER_URL: database.url('cf_reader'),
    DATABASE_URL: database.url('cf_service'),
    OWNER_URL: database.url('cf_owner'),
    SIGNING_KEYS: SEED,
    DATA_DIR: folder,
    OBJECT_STORE: `s3://${BUCKET}/doctor`,
    S3_ENDPOINT: s3.endpoint,
  };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3[Symbol.asyncDispose]();
  await database.drop();
  await fs.rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

async function examined(given: Readonly<Record<string, string>>) {
  const { printed, error } = await runCommand(addDoctorCommand, { ...env, ...given }, 'doctor', '--json');
  const all = JSON.parse(printed.join('')) as Examined[];
  return { all, error, of: (name: Examined['name']) => all.find((one) => one.name === name) };
}

describe('doctor', () => {
  it('examines everything a night needs and finds nothing wrong', async () => {
    const { all, error } = await examined({});
    expect(error).toBeUndefined();
    expect(all.map(({ name }) => name)).toEqual([
      'settings',
      'store',
      'database',
      'DATABASE_URL',
      'OWNER_URL',
      'roles',
      'grants',
      'clocks',
      'heads',
      'damage',
      'retracted',
      'builds',
      'rates',
      'signatures',
      'spool',
      'build cost',
    ]);
    expect(all[2]?.found).toMatch(
      /^the ledger answers, on PostgreSQL 1[678]\.\d+; 16, 17 and 18 are supported$/,
    );
    // A test machine may be short of disk, which is a warning.
    expect(all.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
    expect([...s3.bucket.objects.keys()]).toEqual([]);
  });

  it('asks the address of BASE_URL, and warns if it is not reached', async () => {
    const { of, error } = await examined({ BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(of('BASE_URL')).toMatchObject({ outcome: 'warning' });
    expect(error).toBeUndefined();
  });

  it('prints a line for each check, and advice below it', async () => {
    const { printed } = await runCommand(addDoctorCommand, { ...env, HOST: '0.0.0.0' }, 'doctor');
    expect(printed[0]).toBe(
      `warning  settings: a PostgreSQL of your own, objects in s3://${BUCKET}/doctor, listening on 0.0.0.0, but no BASE_URL`,
    );
    expect(printed[1]).toMatch(/^ {9}Set BASE_URL /);
    expect(printed[2]).toMatch(/^ok {7}store: /);
  });

  it('fails over a store that overwrites, naming the check, and examines the rest', async () => {
    s3.bucket.quirks.add('ignores conditions');
    const { of, all, error } = await examined({});
    s3.bucket.quirks.clear();
    expect(error).toMatchObject({
      code: 'doctor_failed',
      exitCode: 1,
      message: 'A night would fail: store.',
    });
    expect(of('store')).toMatchObject({
      outcome: 'failed',
      found: expect.stringContaining('"a second create loses and changes nothing"'),
    });
    expect(all.map(({ name }) => name)).toEqual([
      'settings',
      'store',
      'database',
      'DATABASE_URL',
      'OWNER_URL',
      'roles',
      'grants',
      'rates',
      'build cost',
    ]);
  });

  it('says which login the bucket refused, and what to allow', async () => {
    s3.script(() => ({ answer: 403, code: 'AccessDenied' }));
    const { of } = await examined({});
    s3.script(() => null);
    expect(of('store')).toMatchObject({
      outcome: 'failed',
      found: expect.stringContaining('403 AccessDenied'),
      advice: expect.stringContaining('list the bucket'),
    });
  });

  it('fails over a login that row security does not hold', async () => {
    const { of, error } = await examined({ LEDGER_URL: database.adminUrl });
    expect(error).toMatchObject({ code: 'doctor_failed' });
    expect(of('roles')).toMatchObject({
      outcome: 'failed',
      found: expect.stringContaining('is a superuser'),
    });
  });

  it('says which statements give the roles the grants that they lack', async () => {
    const owner = await database.client('cf_owner');
    await owner.query(`revoke select on ledger.vendors, reporting.cost_entries from cf_reader;
      revoke execute on function service.authenticate(bytea) from cf_reader;
      revoke select, insert, update on ledger.vendors from cf_writer;
      revoke update (name) on vault.access_tokens from cf_writer`);
    const { of, error } = await examined({});
    expect(error).toMatchObject({ code: 'doctor_failed', message: 'A night would fail: grants.' });
    const { found, advice } = of('grants') ?? {};
    expect(found).toBe('grants are missing: cf_reader on 3 objects, cf_writer on 2 objects');
    expect(advice?.split('\n').toSorted()).toEqual([
      'Run as the login of OWNER_URL:',
      'grant execute on function service.authenticate(bytea) to cf_reader;',
      'grant insert, select, update on table ledger.vendors to cf_writer;',
      'grant select on table ledger.vendors to cf_reader;',
      'grant select on table reporting.cost_entries to cf_reader;',
      'grant update (name) on table vault.access_tokens to cf_writer;',
      'set role cf_owner;',
    ]);
    await owner.query(advice?.split('\n').slice(1).join('\n') ?? '');
    expect((await examined({})).of('grants')).toMatchObject({ outcome: 'ok', advice: null });
  });

  it('names the URL whose login lacks its role, and only warns if no setting names the login', async () => {
    const swapped = await examined({
      DATABASE_URL: database.url('cf_owner'),
      OWNER_URL: database.url('cf_service'),
    });
    expect([swapped.of('DATABASE_URL'), swapped.of('OWNER_URL')]).toMatchObject([
      { outcome: 'failed', advice: expect.stringContaining('grant cf_service to cf_owner;') },
      { outcome: 'failed', advice: expect.stringContaining('grant cf_owner to cf_service;') },
    ]);
    const alone = await examined({ DATABASE_URL: '', OWNER_URL: '' });
    expect(alone.error).toBeUndefined();
    expect([alone.of('DATABASE_URL')?.outcome, alone.of('OWNER_URL')]).toEqual(['warning', undefined]);
  });

  it('fails over a database that does not answer, and still examines the store', async () => {
    const { of } = await examined({ LEDGER_URL: 'postgres://cf_reader@127.0.0.1:1/nowhere' });
    expect(of('database')).toMatchObject({
      outcome: 'failed',
      advice: expect.stringContaining('DATABASE_URL'),
    });
    expect(of('store')?.outcome).toBe('ok');
  });

  it('advises for each fault of a database that was never migrated only to migrate it', async () => {
    const bare = await createDatabase('template0');
    try {
      const { all, error } = await examined({
        LEDGER_URL: bare.url('cf_reader'),
        DATABASE_URL: bare.url('cf_service'),
        OWNER_URL: bare.url('cf_owner'),
      });
      expect(error).toMatchObject({ code: 'doctor_failed' });
      const failed = all.filter(({ outcome }) => outcome === 'failed');
      expect(failed.map(({ name }) => name)).toContain('build cost');
      for (const { name, advice } of failed)
        expect([name, advice]).toEqual([name, expect.stringMatching(/^Run npx --no crossfoot migrate /)]);
    } finally {
      await bare.drop();
    }
  });

  it('fails over clocks that differ, saying which', async () => {
    // The store dates its objects in 2001: 1,000,000,000 s after 1970.
    const set = s3.bucket.objects.set.bind(s3.bucket.objects);
    s3.bucket.objects.set = (key, stored) => set(key, { ...stored, modified: new Date(1_000_000_000_000) });
    const { of } = await examined({});
    s3.bucket.objects.set = set;
    expect(of('clocks')).toMatchObject({ outcome: 'failed', found: expect.stringMatching(/store -\d+ s/) });
  });

  it('fails over a newest snapshot dated in the future, until it is retracted as one', async () => {
    const objects = join(folder, 'objects');
    const store = await openFolderStore({ fs, root: objects, randomUuid: randomUUID });
    const tomorrow = CLOCK.now() + DAY;
    await publishNow(store, { ...aBuild('of tomorrow', tomorrow), account_id: 1n });
    const own = { OBJECT_STORE: pathToFileURL(objects).href, S3_ENDPOINT: '' };
    const id = snapshotIdOf(tomorrow);
    const retract = `retract ${id} --account 1 --future-head`;
    expect((await examined(own)).of('heads')).toMatchObject({
      outcome: 'failed',
      found: `dated in the future, so nothing newer can be published: ${id} of account 1`,
      advice: expect.stringContaining(retract),
    });
    const args = [...retract.split(' '), '--reason', 'A wrong clock'];
    expect((await runCommand(addRetractCommand, { ...env, ...own }, ...args)).error).toBeUndefined();
    expect((await examined(own)).of('heads')).toMatchObject({ outcome: 'ok' });
  });

  it('names every wrong setting and looks no further', async () => {
    const { all, error } = await examined({ PORT: 'http', S3_ENDPOINT: 'http://s3.example.com' });
    expect(error).toMatchObject({ code: 'doctor_failed', exitCode: 1 });
    expect(all).toHaveLength(1);
    expect(all[0]?.found).toMatch(/S3_ENDPOINT must be .*PORT must be /);
  });
});
