/** Checks the publish log from its first entry to the entry of a snapshot: numbers, digests and signatures. */
import { bytesOfBase64, sha256Hex, utf8 } from './bytes.ts';
import { checkSignature, type TrustedKey } from './signatures.ts';

/** The fields of an entry that a proof uses. */
export interface LogEntry {
  readonly seq: number;
  readonly snapshot_id: string;
  readonly manifest_sha256: string;
  readonly prev_sha256: string;
  /** The day of publishing, `YYYY-MM-DD` in UTC. */
  readonly day: string;
  readonly is_signed: boolean;
}

/** The checked entries and how many are signed; or the number of the first wrong entry and what is wrong with it. */
export type CheckedLog =
  | { readonly entries: readonly LogEntry[]; readonly signed: number }
  | { readonly seq: number; readonly why: string };

const NO_ENTRY = '0'.repeat(64);
/** The end of a signed entry. Nothing may follow it: a JSON parser takes the last of two equal fields, and that field would not be signed. */
const SIGNED_END = /,"sshsig":"(?<base64>[A-Za-z0-9+/=]+)","sshsig_key":"(?<key_id>[A-Za-z0-9:+/]+)"\}$/;

/** Checks the texts of entries 1, 2, …. All entries after a signed entry must be signed, too. */
export async function checkLog(texts: readonly string[], keys: readonly TrustedKey[]): Promise<CheckedLog> {
  const entries: LogEntry[] = [];
  let before = NO_ENTRY;
  let signed = 0;
  for (const [index, text] of texts.entries()) {
    const seq = index + 1;
    const entry = readEntry(text);
    if (entry === null) return { seq, why: 'is malformed' };
    if (entry.seq !== seq) return { seq, why: `has the number ${entry.seq}` };
    if (entry.prev_sha256 !== before) return { seq, why: 'does not name the digest of the entry before it' };
    if (!entry.is_signed && signed > 0) return { seq, why: 'is not signed, and the one before it is' };
    const why = entry.is_signed ? await faultOf(text, entry, keys) : null;
    if (why !== null) return { seq, why };
    if (entry.is_signed) signed += 1;
    before = await sha256Hex(utf8(text));
    entries.push(entry);
  }
  return { entries, signed };
}

async function faultOf(text: string, { day }: LogEntry, keys: readonly TrustedKey[]): Promise<string | null> {
  const { groups, index } = SIGNED_END.exec(text) ?? {};
  const blob = bytesOfBase64(groups?.['base64'] ?? '');
  if (blob === null || index === undefined) return 'has a signature that cannot be read';
  const message = utf8(`${text.slice(0, index)}}`);
  const checked = await checkSignature(blob, { namespace: 'crossfoot-log', message, day }, keys);
  if ('why' in checked) return checked.why;
  return checked.key_id === groups?.['key_id'] ? null : 'names a key that did not sign it';
}

function readEntry(text: string): LogEntry | null {
  try {
    const read = JSON.parse(text) as Record<string, unknown>;
    const { seq, snapshot_id, manifest_sha256, prev_sha256, published_at } = read;
    if (typeof snapshot_id !== 'string' || typeof manifest_sha256 !== 'string') return null;
    if (typeof prev_sha256 !== 'string' || typeof published_at !== 'string') return null;
    const is_signed = 'sshsig' in read || 'sshsig_key' in read;
    return {
      seq: Number(seq),
      snapshot_id,
      manifest_sha256,
      prev_sha256,
      day: published_at.slice(0, 10),
      is_signed,
    };
  } catch {
    return null;
  }
}
