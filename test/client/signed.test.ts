/** What `pull.mjs`, or the program that PULL_PROGRAM names, checks of signatures and of the publish log. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { armor, signSsh } from '../../src/signing/sshsig.ts';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { OTHER_SEED, PUBLIC_KEY, SEED } from '../support/signing.ts';
import { type PullProgram, type PullRun, runPull } from './pull-program.ts';
import { FILES, nightId, type SignedServer, startSigned } from './signed-server.ts';

const PROGRAM = (process.env['PULL_PROGRAM'] ?? 'node') as PullProgram; // set by our own script alone
const OTHER_KEY = signingKeyOf(OTHER_SEED).public_key.openssh;
const ENTRY = (night: number): string => `/v1/reporting/snapshots/${nightId(night)}/files/log-entry.json`;

let to: string;
let server: SignedServer;
beforeEach(async () => {
  [to, server] = [await mkdtemp(join(tmpdir(), 'crossfoot-signed-')), await startSigned()];
});
afterEach(async () => {
  await server.close();
  await rm(to, { recursive: true });
});

const pull = (...args: readonly string[]): Promise<PullRun> =>
  runPull(PROGRAM, 'a token', '--url', server.url, '--to', to, ...args);
const withKey = (): Promise<PullRun> => pull('--key', PUBLIC_KEY);
const told = async (run: Promise<PullRun>) => {
  const { code, stderr } = await run;
  return [code, stderr] as const;
};
const refusedBy = (sentence: string) => [3, expect.stringContaining(sentence)];

/** Changes the text that the server answers at that path. */
function change(path: string, by: (text: string) => string): void {
  server.files.set(path, by(server.files.get(path) ?? ''));
}

describe(`a pull by ${PROGRAM} with --key`, () => {
  it('brings a snapshot that this key signed, and what proves it', async () => {
    expect((await withKey()).code).toBe(0);
    const proofs = ['log-entry.json', 'signed-manifest.json', 'signed-manifest.json.sig'];
    expect((await readdir(join(to, nightId(0)))).toSorted()).toEqual([...FILES, ...proofs].toSorted());
    expect(await readFile(join(to, '.allowed_signers'), 'utf8')).toBe(
      `crossfoot namespaces="crossfoot,crossfoot-log,crossfoot-mark" ssh-ed25519 ${PUBLIC_KEY}\n`,
    );
  });

  it('takes a file of two keys, trusts both, and refuses a file without a key', async () => {
    const file = join(to, 'key.pub');
    await writeFile(file, '# none yet\n');
    expect(await told(pull('--key', file))).toEqual([
      2,
      expect.stringContaining('holds no line with ssh-ed25519'),
    ]);
    await writeFile(file, `ssh-ed25519 ${OTHER_KEY} the next one\nssh-ed25519 ${PUBLIC_KEY} the publisher\n`);
    expect((await pull('--key', file)).code).toBe(0);
    // The folder trusts both from now on.
    server.publish(OTHER_SEED);
    expect((await pull()).code).toBe(0);
  });

  it.each(['no key', '/nowhere/key.pub'])('refuses %j as wrong usage', async (key) => {
    expect(await told(pull('--key', key))).toEqual([2, expect.stringContaining(`found ${key}`)]);
  });

  it('refuses a snapshot that another key signed, and leaves nothing', async () => {
    expect((await pull('--key', OTHER_KEY)).code).toBe(3);
    expect((await readdir(to)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it.each([
    ['the entry', ENTRY(0), (text: string) => text.replace('"builder":"test"', '"builder":"tesu"')],
    [
      'the manifest',
      ENTRY(0).replace('log-entry', 'manifest'),
      (text: string) => text.replace('stored', 'STORED'),
    ],
    [
      'the signature',
      ENTRY(0).replace('log-entry.json', 'manifest.json.sig'),
      (text: string) => text.replace('U1NIU0lHAAAAAQAAADMAAAALc3No', 'U1NIU0lHAAAAAQAAADMAAAALc3Np'),
    ],
    [
      'the table digests',
      '/v1/reporting/latest',
      (text: string) => text.replace(/"sha256":"./, '"sha256":"0'),
    ],
  ])('refuses one changed byte of %s', async (_, path, by) => {
    change(path, by);
    expect((await withKey()).code).toBe(3);
  });

  it('refuses a field behind the signature of an entry, which would win over a signed field', async () => {
    change(ENTRY(0), (text) => text.replace(/\}$/, `,"snapshot_id":"${nightId(0)}"}`));
    expect(await told(withKey())).toEqual(
      refusedBy('Entry 1 of the publish log does not end with its signature'),
    );
  });

  it('refuses a key with one changed byte', async () => {
    const changed = PUBLIC_KEY.replace('damAG', 'damBG');
    expect((await pull('--key', changed)).code).toBe(3);
  });

  it('refuses a signed snapshot whose signature the server keeps back', async () => {
    server.files.delete(ENTRY(0).replace('log-entry.json', 'manifest.json.sig'));
    expect(await told(withKey())).toEqual(refusedBy('The manifest '));
    expect((await readdir(to)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  it('refuses the signature of another snapshot', async () => {
    change(ENTRY(0).replace('log-entry.json', 'manifest.json.sig'), () =>
      armor(signSsh(signingKeyOf(SEED), 'crossfoot', Buffer.from('another manifest'))),
    );
    expect((await withKey()).code).toBe(3);
  });
});

describe(`a pull by ${PROGRAM} of a signed log`, () => {
  it('asks for the manifest alone where the last pull brought this snapshot', async () => {
    await withKey();
    const asked = server.asked.length;
    expect((await pull()).code).toBe(10);
    expect(server.asked.slice(asked).map(({ path }) => path)).toEqual(['/v1/reporting/latest']);
  });

  it('follows the entries since the last pull, each signed', async () => {
    await withKey();
    server.publish();
    server.publish();
    expect((await pull()).code).toBe(0);
    expect(JSON.parse(await readFile(join(to, '.log-head.json'), 'utf8'))).toMatchObject({
      seq: 3,
      snapshot_id: nightId(2),
    });
    server.publish(OTHER_SEED);
    expect((await pull()).code).toBe(3);
    server.publish();
    // The newest is signed by the right key; the entry between is not.
    expect((await pull()).code).toBe(3);
  });

  it('refuses an unsigned log with --key, and brings nothing', async () => {
    const unsigned = await startSigned(null);
    const run = runPull(PROGRAM, 'a token', '--url', unsigned.url, '--to', to, '--key', PUBLIC_KEY);
    expect(await told(run)).toEqual([3, 'pull: Entry 1 of the publish log is not signed.\n']);
    expect(await readdir(to)).toEqual([]);
    await unsigned.close();
  });

  it('checks a snapshot that is here anew, by the trusted key, if the folder forgot the entry', async () => {
    await withKey();
    const head = await readFile(join(to, '.log-head.json'), 'utf8');
    await rm(join(to, '.log-head.json'));
    const sound = server.files.get(ENTRY(0)) ?? '';
    change(ENTRY(0), (text) => text.replace('"builder":"test"', '"builder":"tesu"'));
    expect((await pull()).code).toBe(3);
    server.files.set(ENTRY(0), sound);
    expect((await pull()).code).toBe(10);
    expect(await readFile(join(to, '.log-head.json'), 'utf8')).toBe(head);
  });

  it('refuses an unsigned snapshot once the folder trusts a key', async () => {
    await withKey();
    const trusted = join(to, '.allowed_signers');
    const lines = await readFile(trusted, 'utf8');
    // Emptied, the file trusts no key; it does not trust every key.
    await writeFile(trusted, '');
    server.publish();
    expect((await pull()).code).toBe(3);
    await writeFile(trusted, lines);
    server.publish(null);
    expect(await told(pull())).toEqual(refusedBy('Entry 3 of the publish log is not signed.'));
  });

  it('refuses an older snapshot, asked for by its id, that the trusted key did not sign', async () => {
    const [older, sig] = [nightId(0), ENTRY(0).replace('log-entry.json', 'manifest.json.sig')];
    server.publish();
    await withKey();
    const stored = server.files.get(ENTRY(0).replace('log-entry', 'manifest')) ?? '';
    change(sig, () => armor(signSsh(signingKeyOf(OTHER_SEED), 'crossfoot', Buffer.from(stored))));
    expect(await told(pull('--snapshot', older))).toEqual(refusedBy('The manifest is'));
  });

  it('remembers key and entry of a first pull by id, too', async () => {
    expect((await pull('--key', PUBLIC_KEY, '--snapshot', nightId(0))).code).toBe(0);
    server.publish(null);
    expect(await told(pull())).toEqual(refusedBy('Entry 2 of the publish log is not signed.'));
    expect(JSON.parse(await readFile(join(to, '.log-head.json'), 'utf8'))).toMatchObject({ seq: 1 });
  });

  it('remembers the entry of a newer snapshot that was pulled by its id', async () => {
    await withKey();
    const first = server.files.get('/v1/reporting/latest') ?? '';
    server.publish();
    expect((await pull('--snapshot', nightId(1))).code).toBe(0);
    server.files.set('/v1/reporting/latest', first);
    expect(await told(pull())).toEqual(
      refusedBy('the newest entry of the publish log is 1, and the last pull saw 2'),
    );
  });

  it('refuses a log that went back', async () => {
    server.publish();
    await withKey();
    server.files.set('/v1/reporting/latest', server.files.get(`/v1/reporting/snapshots/${nightId(0)}`) ?? '');
    expect(await told(pull())).toEqual(
      refusedBy('the newest entry of the publish log is 1, and the last pull saw 2'),
    );
  });

  it('refuses a log that forked: the entry of the last pull is another, or gone', async () => {
    await withKey();
    server.publish();
    const first = server.files.get('/v1/reporting/log/1') ?? '';
    change('/v1/reporting/log/1', (text) => text.replace('"builder":"test"', '"builder":"tesu"'));
    expect(await told(pull())).toEqual(
      refusedBy('entry 1 of the publish log is another than at the last pull'),
    );
    server.files.delete('/v1/reporting/log/1');
    expect(await told(pull())).toEqual(refusedBy('entry 1 of the publish log is gone'));
    server.files.set('/v1/reporting/log/1', first);
    expect((await pull()).code).toBe(0);
  });

  it('refuses a server that sends no log any longer', async () => {
    await withKey();
    server.publish();
    server.files.delete(ENTRY(1));
    expect(await told(pull())).toEqual(refusedBy('the server no longer sends entries of its publish log'));
  });

  it('checks that the log did not fork without a key, too', async () => {
    const unsigned = await startSigned(null);
    const run = () => runPull(PROGRAM, 'a token', '--url', unsigned.url, '--to', to);
    expect((await run()).code).toBe(0);
    unsigned.publish(null);
    unsigned.files.delete('/v1/reporting/log/1');
    expect((await run()).code).toBe(3);
    await unsigned.close();
  });

  it('refuses a log of which an entry does not name the one before it, without a key, too', async () => {
    const unsigned = await startSigned(null);
    const run = () => runPull(PROGRAM, 'a token', '--url', unsigned.url, '--to', to);
    expect((await run()).code).toBe(0);
    unsigned.publish(null);
    unsigned.publish(null);
    const second = unsigned.files.get('/v1/reporting/log/2') ?? '';
    unsigned.files.set('/v1/reporting/log/2', second.replace('"builder":"test"', '"builder":"tesu"'));
    expect(await told(run())).toEqual(
      refusedBy('entry 3 of the publish log does not follow the one before it'),
    );
    await unsigned.close();
  });
});
