/**
 * Checks who signed a snapshot, and that the publish log only grew since the last pull. The folder remembers the keys that
 * it trusts, in the form of `ssh-keygen`, and the newest entry of the log. Without `--key`, the first signed pull into a
 * folder trusts the key that signed its snapshot.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowedSigners, keysById, keysOnLines, type PublicKeys, readPublicKey } from '../signing/keys.ts';
import { type Checked, checkSsh, type Namespace, signerOf, unarmor } from '../signing/sshsig.ts';
import { firstDifference } from './agreement.ts';
import { ask, type Server, textOf } from './ask.ts';
import { PullStopped } from './errors.ts';
import { writeWhole } from './folder.ts';
import type { PulledManifest } from './remote-manifest.ts';
import { retry, type RetryTools } from './retry.ts';

const TRUSTED = '.allowed_signers';
const HEAD = '.log-head.json';
/** In the folder of a snapshot: the manifest that its log entry names. */
const SIGNED = 'signed-manifest.json';
const MAX_RECORD_BYTES = 1_048_576;

/** The newest entry of the log that a pull into this folder saw. */
interface Head {
  readonly seq: number;
  readonly sha256: string;
  readonly snapshot_id: string;
}

interface Entry extends Head {
  readonly text: string;
  readonly manifest_sha256: string;
  readonly prev_sha256: string;
  /** The day of publishing, `YYYY-MM-DD`. */
  readonly day: string;
  readonly sshsig: string | null;
}

export interface Proof {
  /** The text of each file with which another person can check the signatures, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** Remembers the keys and the newest entry; called once the snapshot is here. */
  readonly remember: () => Promise<void>;
}

/** What the check needs to know of the pull. */
export interface ProofJob {
  readonly to: string;
  /** Each as `readPublicKey` reads it; empty: the keys that the folder trusts. */
  readonly keys: readonly string[];
  /** True: the newest snapshot was requested, not a snapshot id. */
  readonly latest: boolean;
  /** True: every file of the snapshot is here. */
  readonly isHere: boolean;
}

/**
 * Checks the snapshot. Null if the rest needs no check: an earlier pull checked the snapshot, the snapshot is here, and the sent
 * manifest agrees with the checked manifest; or the server is older than signatures. Throws for a snapshot that is not signed by a trusted key, and for a log that lost or changed an entry.
 */
export async function proveSnapshot(
  server: Server & RetryTools,
  manifest: PulledManifest,
  { to, keys, latest, isHere }: ProofJob,
): Promise<Proof | null> {
  const files = `/reporting/snapshots/${manifest.snapshot_id}/files`;
  const trusted = keys.length > 0 ? trust(keys) : await readTrusted(to);
  const known = await readHead(to);
  // The last pull checked this snapshot, or the folder knows nothing to check it by.
  const isChecked = known === null ? trusted === null : known.snapshot_id === manifest.snapshot_id;
  if (isHere && isChecked && keys.length === 0) {
    const checked = await readFile(join(to, manifest.snapshot_id, SIGNED), 'utf8').catch(() => null);
    if (checked !== null) compareManifests(manifest, checked);
    // Without an entry seen, there is nothing to check it by. With one, a deleted file is no reason to check less.
    if (checked !== null || known === null) return null;
  }
  const text = await textAt(server, `${files}/log-entry.json`);
  if (text === null) {
    if (trusted === null && known === null) return null;
    throw refused('the server no longer sends entries of its publish log');
  }
  const entry = parseEntry(text);
  const stored = await textAt(server, `${files}/manifest.json`);
  if (stored === null || sha256(stored) !== entry.manifest_sha256) {
    throw refused('its log entry names another manifest');
  }
  compareManifests(manifest, stored);
  const signature = entry.sshsig === null ? null : await textAt(server, `${files}/manifest.json.sig`);
  const signers = trusted ?? firstKey(entry, server);
  if (signers !== null) {
    checkEntry(entry, signers);
    check('The manifest', unarmor(signature ?? ''), 'crossfoot', stored, entry.day, signers);
  }
  if (known !== null) {
    if (latest && entry.seq < known.seq) {
      throw refused(
        `the newest entry of the publish log is ${entry.seq}, and the last pull saw ${known.seq}`,
      );
    }
    await followLog(server, known, entry, signers);
  }
  const proofs = { [SIGNED]: stored, 'log-entry.json': text };
  return {
    files: signature === null ? proofs : { ...proofs, 'signed-manifest.json.sig': signature },
    remember: async () => {
      if (signers !== null) await writeWhole(join(to, TRUSTED), allowedSigners(signers));
      const { seq, sha256: digest, snapshot_id } = entry;
      if (latest || known === null || seq > known.seq) {
        await writeWhole(join(to, HEAD), `${JSON.stringify({ seq, sha256: digest, snapshot_id })}\n`);
      }
    },
  };
}

/** Throws unless the log still has the entry that the folder saw, and each entry from there on names the one before it. */
async function followLog(
  server: Server & RetryTools,
  known: Head,
  entry: Entry,
  signers: PublicKeys | null,
): Promise<void> {
  const changed = `entry ${known.seq} of the publish log is another than at the last pull`;
  if (entry.seq === known.seq) {
    if (entry.sha256 !== known.sha256) throw refused(changed);
    return;
  }
  const [from, to] = entry.seq < known.seq ? [entry.seq, known.seq] : [known.seq, entry.seq];
  let before: string | null = null;
  for (let seq = from; seq <= to; seq += 1) {
    const text = await textAt(server, `/reporting/log/${seq}`);
    if (text === null) throw refused(`entry ${seq} of the publish log is gone: the log went back`);
    const next = parseEntry(text);
    if (next.seq !== seq || (before !== null && next.prev_sha256 !== before)) {
      throw refused(`entry ${seq} of the publish log does not follow the one before it`);
    }
    if (seq === known.seq && next.sha256 !== known.sha256) throw refused(changed);
    if (seq === entry.seq && next.sha256 !== entry.sha256) throw refused(`the log has another entry ${seq}`);
    if (signers !== null && seq > known.seq) checkEntry(next, signers);
    before = next.sha256;
  }
}

/** The key of the first signed entry that a folder sees; null for an unsigned one. */
function firstKey(entry: Entry, { say }: RetryTools): PublicKeys | null {
  const key = entry.sshsig === null ? null : signerOf(Buffer.from(entry.sshsig, 'base64'));
  const read = key === null ? null : readPublicKey(key);
  if (read === null) return null;
  say(`this folder trusts the key ${read.key_id} from now on; compare it with what the publisher says`);
  return keysById([read]);
}

/**
 * The signature and its key must be the last two fields of an entry. A field after them would not be signed, and a JSON
 * parser would prefer it to a signed field of the same name.
 */
const SIGNED_END = /,"sshsig":"(?<base64>[A-Za-z0-9+/=]+)","sshsig_key":"[A-Za-z0-9:+/]+"\}$/;

function checkEntry({ seq, text, sshsig, day }: Entry, signers: PublicKeys): void {
  const what = `Entry ${seq} of the publish log`;
  const end = SIGNED_END.exec(text);
  if (sshsig !== null && end === null) {
    throw new PullStopped(3, `${what} does not end with its signature.`);
  }
  const blob = end === null ? null : Buffer.from(end.groups?.['base64'] ?? '', 'base64');
  check(what, blob, 'crossfoot-log', `${text.slice(0, end?.index)}}`, day, signers);
}

function check(
  what: string,
  blob: Buffer | null,
  namespace: Namespace,
  text: string,
  day: string,
  signers: PublicKeys,
): void {
  const checked: Checked =
    blob === null
      ? { outcome: 'invalid', why: 'is not signed' }
      : checkSsh(blob, { namespace, message: Buffer.from(text), day }, signers);
  if (checked.outcome === 'invalid') throw new PullStopped(3, `${what} ${checked.why}.`);
  if (checked.outcome === 'valid') return;
  throw new PullStopped(
    3,
    `${what} is signed with the key ${checked.key_id}, which is not trusted. If the publisher changed the key, name both with --key.`,
  );
}

/** Throws if a fact of the manifest that the server sent is another in the signed one. */
function compareManifests(manifest: PulledManifest, stored: string): void {
  const difference = firstDifference(JSON.parse(manifest.text), signedFacts(stored));
  if (difference !== null) throw refused(`the signed manifest has another ${difference}`);
}

function signedFacts(stored: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(stored);
    if (typeof read === 'object' && read !== null) return { ...read };
  } catch {
    // The error is thrown below.
  }
  throw refused('the signed manifest is malformed');
}

function trust(keys: readonly string[]): PublicKeys {
  return keysById(
    keys.map((text) => {
      const key = readPublicKey(text);
      if (key === null) throw new PullStopped(2, `--key must be an Ed25519 key of OpenSSH, found ${text}.`);
      return key;
    }),
  );
}

async function readTrusted(to: string): Promise<PublicKeys | null> {
  const text = await readFile(join(to, TRUSTED), 'utf8').catch(() => null);
  return text === null ? null : trust(keysOnLines(text));
}

async function readHead(to: string): Promise<Head | null> {
  const text = await readFile(join(to, HEAD), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const { seq, sha256: digest, snapshot_id } = JSON.parse(text) as Record<string, unknown>;
    if (Number.isSafeInteger(seq) && typeof digest === 'string' && typeof snapshot_id === 'string') {
      return { seq: Number(seq), sha256: digest, snapshot_id };
    }
  } catch {
    // The error is thrown below.
  }
  throw new PullStopped(3, `${join(to, HEAD)} is damaged. Delete it if the log of the server is right.`);
}

function parseEntry(text: string): Entry {
  try {
    const read = JSON.parse(text) as Record<string, unknown>;
    const seq = Number(read['seq']);
    // An entry without its number could not be compared with the entry that the folder saw.
    if (read['seq'] !== seq || !Number.isSafeInteger(seq)) throw new Error('seq');
    const of = (name: string): string => {
      const value = read[name];
      if (typeof value !== 'string') throw new Error(name);
      return value;
    };
    return {
      text,
      sha256: sha256(text),
      seq,
      snapshot_id: of('snapshot_id'),
      manifest_sha256: of('manifest_sha256'),
      prev_sha256: of('prev_sha256'),
      day: of('published_at').slice(0, 10),
      sshsig: read['sshsig'] === undefined ? null : of('sshsig'),
    };
  } catch (error) {
    throw new PullStopped(3, 'An entry of the publish log is malformed.', error);
  }
}

/** The body of the answer; null for 404. */
async function textAt(server: Server & RetryTools, path: string): Promise<string | null> {
  try {
    return await retry(path, server, () =>
      ask(server, path, {}, (answer) => textOf(answer, MAX_RECORD_BYTES)),
    );
  } catch (error) {
    if (error instanceof PullStopped && error.status === 404) return null;
    throw error;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function refused(why: string): PullStopped {
  return new PullStopped(3, `The snapshot is refused: ${why}.`);
}
