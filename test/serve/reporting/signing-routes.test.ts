/** Keys, signatures and log entries as they are served. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keysById, readPublicKey, type Signing, signingKeyOf } from '../../../src/signing/keys.ts';
import { createReader } from '../../../src/snapshot/read/reader.ts';
import { createSignedReader } from '../../../src/snapshot/read/signed-reader.ts';
import { ACCOUNT, MIDNIGHT, publishNow } from '../../snapshot/builder/build-harness.ts';
import { aSignedBuild, signedStore } from '../../snapshot/builder/signed-build.ts';
import { KEY_ID, OTHER_SEED, PUBLIC_KEY, signingWith } from '../../support/signing.ts';
import { bearer, fakeApp, TOKENS } from '../fake-parts.ts';

const ID = '20260301T000000Z';
const NO_KEYS: Signing = { signer: null, keys: new Map() };
const FILES = `/v1/reporting/snapshots/${ID}/files`;
const store = signedStore({ now: MIDNIGHT });
const snapshots = createReader({ store, now: () => MIDNIGHT, onFault: () => undefined });
const { app } = fakeApp({ snapshots, signatures: createSignedReader(store, snapshots) });
const ask = (path: string, token = TOKENS.reporting) => app.request(path, bearer(token));
const stored = (name: string): string => {
  const [, bytes] = [...store.objects].find(([key]) => key.endsWith(`/${name}`)) ?? [];
  return Buffer.from(bytes ?? []).toString('latin1');
};
const bodyOf = async (answer: Response): Promise<string> =>
  Buffer.from(await answer.arrayBuffer()).toString('latin1');

beforeAll(() => publishNow(store, aSignedBuild('one', MIDNIGHT)));

describe('the signing keys', () => {
  it('are public, in the forms of OpenSSH and PEM, with their days', async () => {
    const answer = await app.request('/v1/reporting/keys');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await answer.json()).toEqual({
      keys: [
        {
          key_id: KEY_ID,
          algorithm: 'ed25519',
          openssh: `ssh-ed25519 ${PUBLIC_KEY}`,
          // The SubjectPublicKeyInfo of RFC 8410 around the 32 bytes d75a98… of RFC 8032's first key.
          pem: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n',
          valid_from: null,
          valid_until: null,
        },
      ],
    });
  });

  it('are those in use and those retired, each with its days', async () => {
    const retired = readPublicKey(`${signingKeyOf(OTHER_SEED).public_key.openssh}@2026-01-01..2026-12-31`);
    const keys = keysById([...signingWith().keys.values(), ...(retired === null ? [] : [retired])]);
    const dated = { ...store, signing: { signer: null, keys } };
    const served = fakeApp({ snapshots, signatures: createSignedReader(dated, snapshots) }).app;
    expect(await (await served.request('/v1/reporting/keys')).json()).toMatchObject({
      keys: [
        { key_id: KEY_ID, valid_from: null, valid_until: null },
        { key_id: retired?.key_id, valid_from: '2026-01-01', valid_until: '2026-12-31' },
      ],
    });
    const lines = (await (await served.request('/v1/reporting/keys/allowed_signers')).text()).split('\n');
    expect(lines).toHaveLength(3);
  });

  it('are a file for ssh-keygen, public too', async () => {
    const answer = await app.request('/v1/reporting/keys/allowed_signers');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(
      `crossfoot namespaces="crossfoot,crossfoot-log,crossfoot-mark" ssh-ed25519 ${PUBLIC_KEY}\n`,
    );
  });
});

describe('a server that began before the key was made', () => {
  it('lists the key once there is one, and then refuses a log that it could not check before', async () => {
    const objects = signedStore({ now: MIDNIGHT });
    await publishNow(objects, aSignedBuild('one', MIDNIGHT));
    const [path, bytes] = [...objects.objects].find(([name]) => /\/log\/0*1\.json$/.test(name)) ?? [];
    // Another signature of the same length: only a reader that knows the key can tell.
    const forged = Buffer.from(bytes ?? [])
      .toString()
      .replace(/"sshsig":"(.{200})(.)/, (_, kept, one) => `"sshsig":"${kept}${one === 'A' ? 'B' : 'A'}`);
    objects.objects.set(path ?? '', Buffer.from(forged));
    let signing = NO_KEYS;
    let now = MIDNIGHT;
    const late = {
      ...objects,
      get signing() {
        return signing;
      },
    };
    const reader = createReader({ store: late, now: () => now, onFault: () => undefined });
    const served = fakeApp({ snapshots: reader, signatures: createSignedReader(late, reader) }).app;
    const keyFiles = async () => {
      const list = await served.request('/v1/reporting/keys');
      const file = await served.request('/v1/reporting/keys/allowed_signers');
      return [await list.json(), await file.text()];
    };
    expect(await keyFiles()).toEqual([{ keys: [] }, '']);
    expect((await reader.latest(ACCOUNT))?.snapshot_id).toBe(ID);
    signing = signingWith();
    expect(await keyFiles()).toMatchObject([
      { keys: [{ key_id: KEY_ID }] },
      expect.stringContaining(PUBLIC_KEY),
    ]);
    now += 5_000_001n;
    await expect(reader.latest(ACCOUNT)).rejects.toMatchObject({ code: 'publish_log_broken' });
  });
});

describe('the files that prove a snapshot', () => {
  it.each([
    ['manifest.json', 'application/json'],
    ['manifest.json.sig', 'text/plain; charset=utf-8'],
    ['manifest.json.ed25519', 'application/octet-stream'],
    ['audit.dsse.json', 'application/json'],
  ])('are sent byte for byte as stored: %s', async (name, type) => {
    const answer = await ask(`${FILES}/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-snapshot-id')).toBe(ID);
    expect(await bodyOf(answer)).toBe(stored(name));
  });

  it('hold the entry of the publish log, which its number names too', async () => {
    const entry = stored('0000000001.json');
    expect(await bodyOf(await ask(`${FILES}/log-entry.json`))).toBe(entry);
    expect(await bodyOf(await ask('/v1/reporting/log/1'))).toBe(entry);
    for (const absent of ['2', '0', '01', '-1', 'x', '9007199254740993']) {
      expect((await ask(`/v1/reporting/log/${absent}`)).status).toBe(404);
    }
  });

  it('are for tokens of the account alone', async () => {
    for (const path of [`${FILES}/manifest.json`, '/v1/reporting/log/1']) {
      expect((await app.request(path)).status).toBe(401);
      expect((await ask(path, TOKENS.switchedOff)).status).toBe(404);
    }
  });
});
