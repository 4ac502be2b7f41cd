/** `crossfoot pull` of signed snapshots: what it refuses, as `pull.mjs` and `pull.py` do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { nightId, type SignedServer, startSigned } from '../../client/signed-server.ts';
import { addPullCommand } from '../../../src/commands/pull/pull.ts';
import { PUBLIC_KEY } from '../../support/signing.ts';
import { runCommand } from '../in-process.ts';

let to: string;
let server: SignedServer;
beforeEach(async () => {
  [to, server] = [await mkdtemp(join(tmpdir(), 'crossfoot-signed-pull-')), await startSigned()];
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

async function refusal(...args: readonly string[]): Promise<string | null> {
  const env = { CROSSFOOT_TOKEN: 'a token' };
  const { error } = await runCommand(addPullCommand, env, 'pull', '--url', server.url, '--to', to, ...args);
  return error instanceof Error ? error.message : null;
}

it('crossfoot pull refuses one changed byte of manifest, entry, signature and key', async () => {
  const at = `/v1/reporting/snapshots/${nightId(0)}/files`;
  for (const [name, from, by] of [
    ['manifest.json', 'stored', 'storee'],
    ['log-entry.json', '"builder":"test"', '"builder":"tesu"'],
    ['manifest.json.sig', 'U1NIU0lHAAAAAQAAADMAAAALc3No', 'U1NIU0lHAAAAAQAAADMAAAALc3Np'],
  ] as const) {
    const right = server.files.get(`${at}/${name}`) ?? '';
    expect(right).toContain(from);
    server.files.set(`${at}/${name}`, right.replace(from, by));
    expect(await refusal('--key', PUBLIC_KEY)).not.toBeNull();
    server.files.set(`${at}/${name}`, right);
  }
  expect(await refusal('--key', PUBLIC_KEY.replace('damAG', 'damBG'))).toContain('is not trusted');
  expect(await refusal('--key', PUBLIC_KEY)).toBeNull();
});

it('crossfoot pull refuses a log that went back, and a log that forked', async () => {
  const first = server.files.get('/v1/reporting/latest') ?? '';
  server.publish();
  expect(await refusal('--key', PUBLIC_KEY)).toBeNull();
  const second = server.files.get('/v1/reporting/latest') ?? '';
  server.files.set('/v1/reporting/latest', first);
  expect(await refusal()).toContain('the newest entry of the publish log is 1, and the last pull saw 2');
  server.files.set('/v1/reporting/latest', second);
  server.publish();
  const entry = server.files.get('/v1/reporting/log/2') ?? '';
  server.files.set('/v1/reporting/log/2', entry.replace('"builder":"test"', '"builder":"tesu"'));
  expect(await refusal()).toContain('entry 2 of the publish log is another than at the last pull');
});
