/** What a caller that inspects a pull finds in the partial folder, such as `crossfoot pull --audit`. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PullTools, pull } from '../../src/client/pull.ts';
import { manifestOf, type ScriptedServer, sha256, SNAPSHOT_ID, startScripted } from './scripted-server.ts';

const AUDIT = Buffer.from('{"passed":true}');
const files = [{ name: 'audit.json', size_bytes: AUDIT.length, sha256: sha256(AUDIT) }];
const EVERY_FILE = ['audit.json', 'costs.parquet', 'snapshot.parquet'];

let to: string;
let server: ScriptedServer;
beforeEach(async () => {
  to = await mkdtemp(join(tmpdir(), 'crossfoot-inspection-'));
  server = await startScripted((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/latest')) response.end(JSON.stringify(manifestOf({ files })));
    else if (path.endsWith('/files/audit.json')) response.end(AUDIT);
    else return false;
    return true;
  });
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pullTables = (tables: readonly string[] | null, inspect?: PullTools['inspect']) =>
  pull(
    { url: server.url, token: 'a', to, snapshot: 'latest', tables, retracted: false, keys: [] },
    { say: () => undefined, signal: new AbortController().signal, ...(inspect && { inspect }) },
  );
const finished = async (): Promise<readonly string[]> => (await readdir(join(to, SNAPSHOT_ID))).toSorted();

describe('the inspection of a pull', () => {
  it('finds every file in one folder, also those that an earlier pull brought', async () => {
    await pullTables(['costs']);
    let seen: readonly string[] = [];
    const pulled = await pullTables(null, async (folder) => {
      seen = (await readdir(folder)).toSorted();
    });
    expect([seen, pulled.isNew]).toEqual([EVERY_FILE, true]);
    expect(await finished()).toEqual([...EVERY_FILE.slice(0, 2), 'manifest.json', 'snapshot.parquet']);
  });

  it('that fails leaves the folder of an earlier pull as it was', async () => {
    await pullTables(['costs']);
    const failing = pullTables(null, async () => await Promise.reject(new Error('the audit refuses it')));
    await expect(failing).rejects.toThrow('the audit refuses it');
    expect(await finished()).toEqual(['costs.parquet', 'manifest.json']);
  });
});
