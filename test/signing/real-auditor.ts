/** What an auditor does with a real snapshot: the lines of the documentation, and a library of somebody else. */
import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingKeyOf } from '../../src/signing/keys.ts';
import { openServedHarness, type ServedHarness } from '../pages/served-harness.ts';
import { flipped } from '../prover/forged.ts';
import { KEY_ID, OTHER_SEED } from '../support/signing.ts';

const ID = '20260715T020000Z';
const ARTICLE = readFileSync(new URL('../../docs/articles/verify-a-snapshot.md', import.meta.url), 'utf8');

let served: ServedHarness;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  served = await openServedHarness();
  await served.harness.build({ store: served.store });
  const TOKEN = await served.issue(1n);
  const origin = await served.serve();
  folder = mkdtempSync(join(tmpdir(), 'crossfoot-auditor-'));
  env = { PATH: process.env['PATH'], BASE_URL: `${origin}/v1`, TOKEN, ID };
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function shell(lines: string, cwd: string) {
  return spawnSync('sh', ['-e', '-c', lines], { cwd, env, encoding: 'utf8' });
}

/** The code of the article that has this word, and of it the lines that do not download. */
function linesWith(word: string): { readonly all: string; readonly check: string } {
  const block =
    [...ARTICLE.matchAll(/```sh\n(.*?)```/gs)].find(([, text = '']) => text.includes(word))?.[1] ?? '';
  const check = block.split('\n').filter((line) => !line.includes('curl '));
  return { all: block, check: check.join('\n') };
}

/** The check in a copy of the folder, of which one byte of a file was changed. */
function checkChanged(check: string, name: string): number | null {
  const copy = mkdtempSync(join(tmpdir(), 'crossfoot-auditor-'));
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, name), flipped(readFileSync(join(copy, name))));
  const { status } = shell(check, copy);
  rmSync(copy, { recursive: true });
  return status;
}

/** A file beside the tables. */
function read(name: string): string {
  const line = `curl -sSf -H "Authorization: Bearer $TOKEN" "$BASE_URL/reporting/snapshots/$ID/files/${name}"`;
  return shell(line, folder).stdout;
}

describe('the lines of the article "Verifying a snapshot"', () => {
  it('verify the manifest by ssh-keygen, and refuse one changed byte of manifest, signature and key', () => {
    const { all, check } = linesWith('ssh-keygen -Y verify');
    const { status, stdout, stderr } = shell(all, folder);
    expect([status, stdout, stderr]).toEqual([
      0,
      `Good "crossfoot" signature for crossfoot with ED25519 key ${KEY_ID}\n`,
      '',
    ]);
    for (const name of ['manifest.json', 'manifest.json.sig', 'allowed_signers']) {
      expect([name, checkChanged(check, name)]).not.toEqual([name, 0]);
    }
  });

  it('verify it by openssl, and refuse one changed byte of manifest, signature and key', () => {
    const { all, check } = linesWith('openssl pkeyutl');
    expect(shell(linesWith('ssh-keygen -Y verify').all, folder).status).toBe(0); // it downloads the manifest
    const { status, stdout } = shell(all, folder);
    expect([status, stdout]).toEqual([0, 'Signature Verified Successfully\n']);
    for (const name of ['manifest.json', 'manifest.json.ed25519', 'key.pem']) {
      expect([name, checkChanged(check, name)]).not.toEqual([name, 0]);
    }
  });
});

/** One changed byte. */
function change(base64: string): string {
  return Buffer.from(flipped(Buffer.from(base64, 'base64'))).toString('base64');
}

/** The parts of the library that are used; it is installed by the campaign alone. */
interface Sigstore {
  readonly verify: {
    readonly Verifier: new (material: unknown, options: object) => { verify(entity: unknown): unknown };
    readonly toSignedEntity: (bundle: unknown) => unknown;
    readonly toTrustMaterial: (root: unknown, key: (hint: string) => object) => unknown;
  };
  readonly bundle: { readonly bundleFromJSON: (json: object) => unknown };
  readonly specs: { readonly TrustedRoot: { fromJSON(json: object): unknown } };
}

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

describe('the audit as a DSSE envelope, by the library of Sigstore', () => {
  const load = createRequire(join(process.env['SIGSTORE_FOLDER'] ?? '.', 'package.json'));
  const sigstore: Sigstore = {
    verify: load('@sigstore/verify') as Sigstore['verify'],
    bundle: load('@sigstore/bundle') as Sigstore['bundle'],
    specs: load('@sigstore/protobuf-specs') as Sigstore['specs'],
  };

  function check(envelope: Envelope, pem: string): void {
    const { verify, bundle, specs } = sigstore;
    const verificationMaterial = { publicKey: { hint: KEY_ID }, tlogEntries: [] };
    const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
    const entity = bundle.bundleFromJSON({ mediaType, verificationMaterial, dsseEnvelope: envelope });
    const publicKey = createPublicKey(pem);
    const keys = () => ({ publicKey, validFor: () => true });
    const material = verify.toTrustMaterial(specs.TrustedRoot.fromJSON({}), keys);
    const none = { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 };
    new verify.Verifier(material, none).verify(verify.toSignedEntity(entity));
  }

  it('is verified, and names the digests of the fourteen tables', () => {
    const envelope = JSON.parse(read('audit.dsse.json')) as Envelope;
    const pem = shell(`curl -sS "$BASE_URL/reporting/keys" | jq -r '.keys[0].pem'`, folder).stdout;
    check(envelope, pem);
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as {
      readonly subject: readonly object[];
      readonly predicate: { readonly audit: { readonly passed: boolean } };
    };
    const { tables } = JSON.parse(read('manifest.json')) as { tables: { name: string; sha256: string }[] };
    expect(statement.subject).toHaveLength(14);
    expect(statement.subject).toEqual(
      tables.map(({ name, sha256 }) => ({ name: `${name}.parquet`, digest: { sha256 } })),
    );
    expect(statement.predicate.audit.passed).toBe(true);
  });

  it('is refused with one changed byte of payload or signature, and with another key', () => {
    const envelope = JSON.parse(read('audit.dsse.json')) as Envelope;
    const pem = shell(`curl -sS "$BASE_URL/reporting/keys" | jq -r '.keys[0].pem'`, folder).stdout;
    const [{ keyid, sig } = { keyid: '', sig: '' }] = envelope.signatures;
    const other = signingKeyOf(OTHER_SEED).public_key.key.export({ format: 'pem', type: 'spki' }).toString();
    const refused = 'signature verification failed';
    expect(() => check({ ...envelope, payload: change(envelope.payload) }, pem)).toThrow(refused);
    expect(() => check({ ...envelope, signatures: [{ keyid, sig: change(sig) }] }, pem)).toThrow(refused);
    expect(() => check(envelope, other)).toThrow(refused);
  });
});
