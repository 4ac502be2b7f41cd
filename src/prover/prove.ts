/** Proves a snapshot from what was loaded: signature, publish log, digests of all files, and the sums of every window. */
import { type Bytes, sha256Hex, textOf } from './bytes.ts';
import { type Loaded, type NamedFile, namedFiles } from './load.ts';
import { type CheckedLog, checkLog, type LogEntry } from './publish-log.ts';
import { checkSignature, importKey, type ListedKey, type TrustedKey, unarmor } from './signatures.ts';
import { type ComparedTotals, compareTotals, TOTAL_TABLES, type TotalFiles, type Turn } from './totals.ts';

/**
 * `unsigned`: the part has no fault, but the snapshot was published before snapshots were signed. `unchecked`: the part could
 * not be checked, because of a fault in another part.
 */
type Outcome = 'proven' | 'unsigned' | 'refused' | 'unchecked';

/** What was expected and found at one place. */
export interface Finding {
  readonly where: string;
  readonly expected: string;
  readonly found: string;
}

/** One of the four parts of a proof. */
export interface Part {
  readonly title: string;
  readonly outcome: Outcome;
  /** A sentence. */
  readonly text: string;
  readonly findings: readonly Finding[];
}

export interface Proof {
  readonly snapshot_id: string;
  readonly outcome: Exclude<Outcome, 'unchecked'>;
  readonly parts: readonly Part[];
  /** Null if the totals could not be compared: a file is missing, differs from the manifest, or cannot be read. */
  readonly totals: ComparedTotals | null;
  readonly files: readonly NamedFile[];
}

export interface ProveOptions {
  /** The keys that the reader entered, as OpenSSH writes them; null to trust the keys that the server lists. */
  readonly key: string | null;
  /** Called between the steps with the number of rows read, so that the page can show progress; it may throw to stop. */
  readonly turn: Turn;
}

/** Makes the proof. Throws if `key` has no Ed25519 key, or an unreadable key. An error that `turn` throws is thrown, too. */
export async function prove(loaded: Loaded, { key, turn }: ProveOptions): Promise<Proof> {
  const keys = await trustedKeys(loaded.keys, key);
  const log = await checkLog(loaded.log, keys);
  await turn(0);
  const entry = 'why' in log ? undefined : log.entries.at(-1);
  const files = namedFiles(textOrEmpty(loaded.manifest)) ?? [];
  const damaged: Finding[] = [];
  for (const file of files) {
    damaged.push(...(await checkFile(file, loaded.files.get(file.name))));
    await turn(0);
  }
  const totals = await totalsPart(loaded, damaged, turn);
  const parts = [
    await signaturePart(loaded, entry, keys, key !== null),
    logPart(log, loaded),
    filesPart(files, damaged),
    totals.part,
  ];
  const outcomes = parts.map(({ outcome }) => outcome);
  const isRight = outcomes.every((outcome) => outcome === 'proven' || outcome === 'unsigned');
  const outcome = isRight ? (outcomes.includes('unsigned') ? 'unsigned' : 'proven') : 'refused';
  return { snapshot_id: loaded.snapshot_id, outcome, parts, totals: totals.totals, files };
}

async function trustedKeys(listed: readonly ListedKey[], own: string | null): Promise<readonly TrustedKey[]> {
  if (own !== null) {
    const entered = await Promise.all(enteredKeys(own).map(importKey));
    const keys = entered.filter((each) => each !== null);
    if (keys.length === 0 || keys.length < entered.length)
      throw new Error('The key must be an Ed25519 key as OpenSSH writes it: ssh-ed25519 AAAA….');
    return keys;
  }
  const keys = await Promise.all(listed.map(importKey));
  return keys.filter((each) => each !== null);
}

/** A key as OpenSSH writes it, with the days on which it is valid: `AAAA… @2026-01-01..2026-12-31`. */
const KEY_IN_TEXT = /AAAAC3\S*(?:\s+@\S+)?/g;
const KEY = /^([^@]*?)(?:\s*@(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)?$/;

/** The keys in a text that may hold other words too: a key file, or lines of `allowed_signers`. */
function enteredKeys(text: string): readonly ListedKey[] {
  return (text.match(KEY_IN_TEXT) ?? []).map((each) => {
    const [, base64 = '', from, until] = KEY.exec(each) ?? [];
    return { openssh: `ssh-ed25519 ${base64}`, valid_from: from ?? null, valid_until: until ?? null };
  });
}

async function signaturePart(
  { manifest, signature, snapshot_id }: Loaded,
  entry: LogEntry | undefined,
  keys: readonly TrustedKey[],
  isOwnKey: boolean,
): Promise<Part> {
  const title = 'Signature';
  if (entry === undefined) {
    const text = 'The signature was not checked, because the publish log has a fault.';
    return { title, outcome: 'unchecked', text, findings: [] };
  }
  const refused = (where: string, expected: string, found: string): Part => {
    return {
      title,
      outcome: 'refused',
      text: `The ${where} differs from what was expected.`,
      findings: [{ where, expected, found }],
    };
  };
  const digest = await sha256Hex(manifest);
  if (entry.snapshot_id !== snapshot_id) return refused('log entry', snapshot_id, entry.snapshot_id);
  if (digest !== entry.manifest_sha256) return refused('manifest', entry.manifest_sha256, digest);
  if (!entry.is_signed) {
    const text = 'This snapshot was published before snapshots were signed. Its digests are as expected.';
    return { title, outcome: 'unsigned', text, findings: [] };
  }
  const blob = unarmor(signature === null ? '' : textOrEmpty(signature));
  if (blob === null) return refused('signature', 'an SSH signature of manifest.json', 'none');
  const signed = { namespace: 'crossfoot', message: manifest, day: entry.day } as const;
  const checked = await checkSignature(blob, signed, keys);
  if ('why' in checked)
    return refused('signature', 'a signature of manifest.json by a trusted key', `it ${checked.why}`);
  const whose = isOwnKey ? 'a key that you entered' : 'a key that this server lists';
  const text = `The manifest is signed with ${checked.key_id}, ${whose}.`;
  return { title, outcome: 'proven', text, findings: [] };
}

function logPart(log: CheckedLog, { snapshot_id }: Loaded): Part {
  const title = 'Publish log';
  if ('why' in log) {
    const where = `entry ${log.seq}`;
    const findings = [{ where, expected: 'an entry that follows the one before it', found: `it ${log.why}` }];
    return {
      title,
      outcome: 'refused',
      text: `The publish log has a fault: ${where} ${log.why}.`,
      findings,
    };
  }
  const { entries, signed } = log;
  if (entries.at(-1)?.snapshot_id !== snapshot_id) {
    const findings = [{ where: 'publish log', expected: `an entry of ${snapshot_id}`, found: 'none' }];
    return { title, outcome: 'refused', text: 'The publish log does not name this snapshot.', findings };
  }
  const text = `${entries.length} entries follow each other from the first to this snapshot; ${signed} are signed.`;
  return { title, outcome: signed > 0 ? 'proven' : 'unsigned', text, findings: [] };
}

async function checkFile(
  { name, size_bytes, sha256 }: NamedFile,
  bytes: Bytes | string | undefined,
): Promise<Finding[]> {
  const expected = `${size_bytes} bytes with SHA-256 ${sha256}`;
  if (bytes === undefined || typeof bytes === 'string') {
    return [{ where: name, expected, found: bytes ?? 'no file' }];
  }
  const digest = await sha256Hex(bytes);
  if (bytes.length === size_bytes && digest === sha256) return [];
  return [{ where: name, expected, found: `${bytes.length} bytes with SHA-256 ${digest}` }];
}

function filesPart(files: readonly NamedFile[], findings: readonly Finding[]): Part {
  const title = 'Files';
  if (files.length === 0) {
    const none = [{ where: 'manifest.json', expected: 'the names of the files', found: 'none' }];
    return { title, outcome: 'refused', text: 'The manifest names no files.', findings: none };
  }
  return findings.length === 0
    ? {
        title,
        outcome: 'proven',
        text: `All ${files.length} files have the SHA-256 of the manifest.`,
        findings,
      }
    : { title, outcome: 'refused', text: `${findings.length} of ${files.length} files differ.`, findings };
}

async function totalsPart(
  { files }: Loaded,
  damaged: readonly Finding[],
  turn: Turn,
): Promise<{ readonly part: Part; readonly totals: ComparedTotals | null }> {
  const title = 'Totals';
  const bytes = new Map<string, Bytes>();
  for (const table of TOTAL_TABLES) {
    const name = `${table}.parquet`;
    const file = files.get(name);
    if (file === undefined || typeof file === 'string' || damaged.some(({ where }) => where === name)) {
      const text = `The totals were not checked, because ${name} is missing or damaged.`;
      return { part: { title, outcome: 'unchecked', text, findings: [] }, totals: null };
    }
    bytes.set(table, file);
  }
  const totals = await addedUp(Object.fromEntries(bytes) as TotalFiles, turn); // each table was set
  if (typeof totals === 'string') {
    const findings = [{ where: 'totals', expected: 'tables that can be read', found: totals }];
    return {
      part: { title, outcome: 'refused', text: 'The tables cannot be added up.', findings },
      totals: null,
    };
  }
  const findings = totals.differences.map(({ initiative_id, window_key, figure, expected, found }) => {
    const scope = initiative_id === null ? 'portfolio' : `initiative ${initiative_id}`;
    return { where: `${scope}, ${window_key}, ${figure}`, expected, found };
  });
  const count = findings.length + totals.more;
  const text =
    count === 0
      ? `${totals.windows} windows were added up from ${totals.entries} entries. Every figure is equal, to the cent.`
      : `${count} figures differ from the sums of the entries.`;
  return { part: { title, outcome: count === 0 ? 'proven' : 'refused', text, findings }, totals };
}

/** The compared totals, or a text that says why a table cannot be read. Throws what `turn` throws. */
async function addedUp(files: TotalFiles, turn: Turn): Promise<ComparedTotals | string> {
  let isStopped = false;
  const stop = (cause: unknown): never => {
    isStopped = true;
    throw cause;
  };
  try {
    return await compareTotals(files, (rows) => turn(rows).catch(stop));
  } catch (error) {
    if (isStopped) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

function textOrEmpty(bytes: Bytes): string {
  try {
    return textOf(bytes);
  } catch {
    return '';
  }
}
