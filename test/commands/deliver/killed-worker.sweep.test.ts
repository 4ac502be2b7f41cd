/** A worker of the program that ends by `kill -9` in the middle of a delivery: the next one goes on where it ended. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addBuildCommand } from '../../../src/commands/build.ts';
import { addDeliverCommand } from '../../../src/commands/deliver/deliver.ts';
import { addWorkCommand } from '../../../src/commands/work.ts';
import { type BuildQueue, openBuildQueue } from '../../../src/ops/queue.ts';
import { FILES } from '../../deliveries/delivery-harness.ts';
import { passLoss } from '../../deliveries/lost-worker.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { BUCKET, type ScriptedS3, startScriptedS3 } from '../../support/scripted-s3.ts';
import { runCommand } from '../in-process.ts';
import { deliverySettings } from '../../deliveries/delivery-settings.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
/** A test that builds or starts a process: seconds of its own, and many times that beside others. */
const STARTING_MS = 180_000;

let database: TestDatabase;
let s3: ScriptedS3;
let folder: string;
let service: Pool;
let builds: BuildQueue;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  [database, s3, folder] = await Promise.all([
    createDatabase('template_company'),
    startScriptedS3(),
    mkdtemp(join(tmpdir(), 'crossfoot-killed-')),
  ]);
  service = database.pool('cf_service');
  builds = await openBuildQueue({ service, supervise: false, onError: () => undefined });
  env = deliverySettings(database, folder);
  await writeFile(join(folder, 'secret'), 'a-secret');
  const { error } = await runCommand(addBuildCommand, env, 'build', '--account', '1');
  if (error !== undefined) throw error;
}, STARTING_MS);
afterAll(async () => {
  await builds.close();
  await s3[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
  await database.drop();
});

async function addTarget(prefix: string): Promise<void> {
  const key = ['--access-key', 'AKIAEXAMPLE', '--secret-file', join(folder, 'secret')];
  const target = [`s3://${BUCKET}/${prefix}`, '--account', '1', '--endpoint', s3.endpoint, ...key];
  expect((await runCommand(addDeliverCommand, env, 'deliver', 'add', ...target)).error).toBeUndefined();
}

/** Runs a worker as a process, and kills it when it writes the object of this name. */
async function workUntilKilled(name: string, isApplied: boolean): Promise<void> {
  const worker = spawn(process.execPath, ['src/cli.ts', 'work', '--until-empty'], {
    cwd: TOP,
    env,
    stdio: 'ignore',
  });
  const ended = once(worker, 'exit');
  s3.script(({ method, key }) => {
    if (method === 'PUT' && key.endsWith(`/${name}`)) worker.kill('SIGKILL');
    return worker.killed && !isApplied ? { reset: 'before' } : null;
  });
  await ended;
  s3.script(() => null);
  expect(worker.signalCode).toBe('SIGKILL');
}

const manifest = z.object({ tables: z.array(z.object({ name: z.string(), sha256: z.string() })) });
const latest = z.object({ folder: z.string() });

/** The objects below a prefix: their names without the folder of the snapshot. */
const namesBelow = (prefix: string): readonly string[] =>
  [...s3.bucket.objects.keys()]
    .filter((key) => key.startsWith(`${prefix}/`))
    .map((key) => key.split('/').at(-1) ?? '');

describe('a worker that is killed', () => {
  it.each([
    { when: 'before its first object', name: FILES[0] ?? '', isApplied: false, there: 0, left: 0 },
    { when: 'after an object in the middle', name: FILES[7] ?? '', isApplied: true, there: 8, left: 7 },
    { when: 'before the manifest', name: 'manifest.json', isApplied: false, there: 17, left: 17 },
    { when: 'after the manifest', name: 'manifest.json', isApplied: true, there: 18, left: 17 },
    { when: 'before latest.json', name: 'latest.json', isApplied: false, there: 18, left: 18 },
    { when: 'after latest.json', name: 'latest.json', isApplied: true, there: 19, left: 19 },
  ])(
    '$when leaves what the next worker makes whole, and sends nothing again that was compared',
    async ({ when, name, isApplied, there, left }) => {
      const order = [...FILES, 'latest.json'];
      const prefix = when.replaceAll(/\W/g, '-');
      await addTarget(prefix);
      await workUntilKilled(name, isApplied);
      expect(namesBelow(prefix)).toEqual(order.slice(0, there));
      const before = s3.asked.length;
      await passLoss(service, builds);
      expect((await runCommand(addWorkCommand, env, 'work', '--until-empty')).error).toBeUndefined();
      const sent = s3.asked.slice(before).filter(({ method }) => method === 'PUT');
      expect(sent.map(({ key }) => key.split('/').at(-1))).toEqual(order.slice(left));
      expect(namesBelow(prefix)).toEqual(order);
      const bytesOf = (key: string) => s3.bucket.objects.get(`${prefix}/${key}`)?.body ?? Buffer.alloc(0);
      const { folder: newest } = latest.parse(JSON.parse(bytesOf('latest.json').toString()));
      const { tables } = manifest.parse(JSON.parse(bytesOf(`${newest}/manifest.json`).toString()));
      expect(tables).toHaveLength(14);
      for (const table of tables) {
        const found = createHash('sha256').update(bytesOf(`${newest}/${table.name}.parquet`));
        expect([table.name, found.digest('hex')]).toEqual([table.name, table.sha256]);
      }
    },
    STARTING_MS,
  );
});
