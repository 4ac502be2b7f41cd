/**
 * The marks of an account: what was said of its snapshots after they were published, one entry each, numbered without
 * gaps, each holding the digest of the one before. Because a mark is created or not, and all of them stand in one order,
 * a snapshot is either pinned before its removal begins or not at all.
 *
 * One chain for an account and not one for each snapshot: whoever serves it learns with a single call whether anything
 * was said, also of a snapshot of last year that only a pin still keeps.
 */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import { decodeCanonical, encodeCanonical } from './canonical-json.ts';
import { sha256Hex } from './digest.ts';
import { instantText } from './instant-text.ts';
import { isSnapshotId } from './snapshot-id.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const snapshot_id = z.string().refine(isSnapshotId);
/** Short enough for a column, and nothing in it that a shell or an address would have to quote. */
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);

const said = {
  seq: z.int().min(1),
  prev_sha256: sha256,
  /** Drawn for this mark alone: it tells an own success, hidden by a lost reply, from somebody else's. */
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  at: instantText,
  by: z.string().min(1).max(200),
  snapshot_id,
};

const mark = z.discriminatedUnion('kind', [
  /** Keeps it until then; said again of the same name, the later word counts. */
  z.object({ ...said, kind: z.literal('pinned'), name, until: instantText }),
  z.object({ ...said, kind: z.literal('unpinned'), name }),
  z.object({
    ...said,
    kind: z.literal('retracted'),
    // Neither line breaks nor anything else that a terminal would obey.
    reason: z.string().regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u),
    replaced_by: snapshot_id.nullable(),
    /** True: its moment is in the future, and the next entry of the log may pass it over. */
    future_head: z.literal(true).optional(),
  }),
  /** These files are not what was audited. */
  z.object({ ...said, kind: z.literal('quarantined'), files: z.array(z.string().max(60)).min(1).max(60) }),
  /** Every file is again what was audited. */
  z.object({ ...said, kind: z.literal('restored') }),
  /** Its files go now: no pin comes any more. */
  z.object({ ...said, kind: z.literal('removed') }),
]);

export type Mark = z.infer<typeof mark>;
type Unplaced<Entry> = Entry extends Mark ? Omit<Entry, 'seq' | 'prev_sha256' | 'nonce'> : never;
/** A mark without what its place in the chain decides. */
export type NewMark = Unplaced<Mark>;

/** The marks as far as they were read and found good. */
export interface Marks {
  readonly account_id: bigint;
  readonly length: number;
  /** SHA-256 of the last mark's exact bytes: what the next one must name. */
  readonly head_sha256: string;
  /** Of each snapshot that has any, in order. */
  readonly of: ReadonlyMap<string, readonly Mark[]>;
  readonly fault: CrossfootError | null;
}

/** What stands in the place of a digest before the first mark. */
const NO_MARK = '0'.repeat(64);

/** The marks before the first. */
export function noMarks(account_id: bigint): Marks {
  return { account_id, length: 0, head_sha256: NO_MARK, of: new Map(), fault: null };
}

/** The bytes of the mark that would follow; one that is malformed is refused before anybody sees it. */
export function encodeNextMark(marks: Marks, next: NewMark, nonce: string): Uint8Array {
  const place = { seq: marks.length + 1, prev_sha256: marks.head_sha256, nonce };
  return encodeCanonical(z.encode(mark, { ...next, ...place }));
}

/** The marks with these bytes after them, up to the first that is wrong: then they carry the fault. */
export function followMarks(marks: Marks, bodies: readonly Uint8Array[]): Marks {
  const of = new Map(marks.of);
  let { length, head_sha256 } = marks;
  for (const bytes of bodies) {
    const seq = length + 1;
    const next = decodeMark(bytes);
    const wrong = next === null ? 'is malformed' : whatIsWrong(next, seq, head_sha256);
    if (next === null || wrong !== null) {
      return { ...marks, length, head_sha256, of, fault: brokenMarks(marks.account_id, seq, wrong ?? '') };
    }
    of.set(next.snapshot_id, [...(of.get(next.snapshot_id) ?? []), next]);
    length = seq;
    head_sha256 = sha256Hex(bytes);
  }
  return { ...marks, length, head_sha256, of, fault: null };
}

/** The error of marks that cannot be followed to their end. */
export function brokenMarks(account_id: bigint, seq: number, wrong: string): CrossfootError {
  return new CrossfootError('marks_broken', `marks of account ${account_id}: mark ${seq} ${wrong}.`, {
    hint: 'Marks up to the one before still count; nothing is marked or deleted until they are whole again.',
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

function whatIsWrong(found: Mark, seq: number, head_sha256: string): string | null {
  if (found.seq !== seq) return `says it is mark ${found.seq}`;
  return found.prev_sha256 === head_sha256 ? null : 'does not follow the mark before it';
}
