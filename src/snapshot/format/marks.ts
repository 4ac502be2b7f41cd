/**
 * The marks of an account: annotations of its published snapshots (pinned, retracted, quarantined …). Marks are numbered
 * without gaps, and each holds the digest of the mark before. So all marks have one order: a pin either precedes the removal
 * of its snapshot, or is refused.
 *
 * An account has one chain of marks, not one per snapshot. A server therefore needs a single call to see new marks of all
 * snapshots.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import type { Signing } from '../../signing/keys.ts';
import { formatInstant } from '../../time.ts';
import { decodeCanonical } from './canonical-json.ts';
import { sha256Hex } from './digest.ts';
import { instantText } from './instant-text.ts';
import {
  encodeSigned,
  followSignature,
  SIGNATURE_FIELDS,
  type SignedChain,
  unsigned,
} from './signed-record.ts';
import { isSnapshotId } from './snapshot-id.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const snapshot_id = z.string().refine(isSnapshotId);
/** Short enough for a column, without characters that a shell or a URL would have to quote. */
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);

const statement = {
  seq: z.int().min(1),
  prev_sha256: sha256,
  /** Unique to this mark. If a reply was lost, the nonce shows whether the mark found is our own. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  at: instantText,
  by: z.string().min(1).max(200),
  snapshot_id,
  ...SIGNATURE_FIELDS,
};

const mark = z.discriminatedUnion('kind', [
  /** Keeps the snapshot until `until`. A later pin of the same snapshot with the same name replaces it. */
  z.object({ ...statement, kind: z.literal('pinned'), name, until: instantText }),
  z.object({ ...statement, kind: z.literal('unpinned'), name }),
  z.object({
    ...statement,
    kind: z.literal('retracted'),
    // No line breaks or other control characters, which a terminal would obey.
    reason: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u),
    replaced_by: snapshot_id.nullable(),
    /** True: the snapshot's moment is in the future, and the next entry of the log may have an earlier one. */
    future_head: z.literal(true).optional(),
  }),
  /** These files differ from the files that were audited. */
  z.object({
    ...statement,
    kind: z.literal('quarantined'),
    files: z.array(z.string().max(60)).min(1).max(60),
  }),
  /** Every file equals the audited file again. */
  z.object({ ...statement, kind: z.literal('restored') }),
  /** Deletion of the files begins: the snapshot can no longer be pinned. */
  z.object({ ...statement, kind: z.literal('removed') }),
]);

export type Mark = z.infer<typeof mark>;
type WithoutPosition<Entry> = Entry extends Mark
  ? Omit<Entry, 'seq' | 'prev_sha256' | 'nonce' | keyof typeof SIGNATURE_FIELDS>
  : never;
/** A mark without its signature and the fields that follow from its position in the chain. */
export type NewMark = WithoutPosition<Mark>;

/** The valid marks read so far. */
export interface Marks extends SignedChain {
  readonly account_id: bigint;
  readonly length: number;
  /** SHA-256 of the last mark's exact bytes, which the next mark must name. */
  readonly head_sha256: string;
  /** The marks of each snapshot that has any, in order. */
  readonly of: ReadonlyMap<string, readonly Mark[]>;
  readonly fault: CrossfootError | null;
}

const MARK_BYTES = 400;

/** What the marks of an account take in memory, about. */
export function bytesOfMarks({ length }: Pick<Marks, 'length'>): number {
  return MARK_BYTES * (1 + length);
}

/** The first mark names this instead of the digest of a mark before it. */
const NO_MARK = '0'.repeat(64);

/** An empty chain of marks. */
export function noMarks(account_id: bigint, signing?: Signing): Marks {
  return { account_id, length: 0, head_sha256: NO_MARK, of: new Map(), fault: null, ...unsigned(signing) };
}

/** The bytes of the next mark; throws if the mark is malformed. */
export function encodeNextMark(marks: Marks, next: NewMark, nonce: string): Uint8Array {
  const place = { seq: marks.length + 1, prev_sha256: marks.head_sha256, nonce };
  return encodeSigned(z.encode(mark, { ...next, ...place }), 'crossfoot-mark', marks);
}

/** Appends these marks, up to the first that is invalid: `fault` then says why. */
export function followMarks(marks: Marks, bodies: readonly Uint8Array[]): Marks {
  const of = new Map(marks.of);
  let followed: Marks = { ...marks, of, fault: null };
  for (const bytes of bodies) {
    const seq = followed.length + 1;
    const next = nextMark(bytes, seq, followed);
    if (typeof next === 'string') return { ...followed, fault: brokenMarks(marks.account_id, seq, next) };
    const signature = signatureOf(bytes, next, followed);
    if (typeof signature === 'string') {
      return { ...followed, fault: brokenMarks(marks.account_id, seq, signature) };
    }
    of.set(next.snapshot_id, [...(of.get(next.snapshot_id) ?? []), next]);
    followed = { ...followed, ...signature, length: seq, head_sha256: sha256Hex(bytes) };
  }
  return followed;
}

/** The error for a chain of marks that cannot be read to its end. */
export function brokenMarks(account_id: bigint, seq: number, wrong: string): CrossfootError {
  return new CrossfootError('marks_broken', `marks of account ${account_id}: mark ${seq} ${wrong}.`, {
    hint: 'Earlier marks still count. Nothing is marked or deleted until the chain is repaired.',
    data: { account: account_id, seq },
  });
}

function decodeMark(bytes: Uint8Array): Mark | null {
  try {
    return mark.parse(decodeCanonical(bytes));
  } catch {
    return null;
  }
}

/** The mark in these bytes, or a clause that says why it cannot be the next mark. */
function nextMark(bytes: Uint8Array, seq: number, { head_sha256 }: Marks): Mark | string {
  const found = decodeMark(bytes);
  if (found === null) return 'is malformed';
  if (found.seq !== seq) return `says it is mark ${found.seq}`;
  return found.prev_sha256 === head_sha256 ? found : 'does not follow the mark before it';
}

function signatureOf(bytes: Uint8Array, { at }: Mark, marks: Marks): SignedChain | string {
  return followSignature(bytes, formatInstant(at).slice(0, 10), 'crossfoot-mark', marks);
}
