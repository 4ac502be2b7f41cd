/** The stored manifest: it lists the files of a snapshot. The log entry that publishes the snapshot names its digest. */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import { tableNamed } from '../../tables/all.ts';
import { companionNamed } from '../../tables/companions.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import { FOCUS_VERSION } from '../../focus/columns.ts';
import { FOCUS } from '../../tables/focus.ts';
import { decodeCanonical, encodeCanonical } from './canonical-json.ts';
import { BLOCK_BYTES, sha256Hex } from './digest.ts';
import { instantText } from './instant-text.ts';
import { isSnapshotId, snapshotIdOf } from './snapshot-id.ts';

/** The maximum size of a manifest. One with fourteen tables has 4 KiB; the limit keeps a forged one from filling the memory. */
export const MANIFEST_CAP_BYTES = 1_048_576;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z.string().min(1).max(100);

const storedTable = z.object({
  name: z.string().refine((name) => tableNamed(name) !== undefined, 'is not a reporting table'),
  row_count: z.int().min(0),
  size_bytes: z.int().min(1),
  sha256,
  blocks_sha256: sha256,
});

const storedFile = z.object({
  name: z
    .string()
    .regex(/^[a-z_]{1,40}\.(?:json|sql)$/)
    .refine((name) => !['manifest.json', 'quarantine.json', 'retracted.json'].includes(name), 'is reserved'),
  size_bytes: z.int().min(0),
  sha256,
});

/**
 * The companion tables: rows of the read API. Their row counts are in `report` and not here, because they include drafts, which
 * a reporting token must not learn about; it cannot read `report`.
 */
const storedCompanions = z.object({
  tables: z
    .array(
      z.object({
        name: z.string().refine((name) => companionNamed(name) !== undefined, 'is not a companion table'),
        size_bytes: z.int().min(1),
        sha256,
        blocks_sha256: sha256,
      }),
    )
    .min(1)
    .refine(namesDiffer, 'names a table twice'),
  report: z.object({ size_bytes: z.int().min(0), sha256 }),
});

/**
 * The costs in the format of FOCUS. They are not in `tables`, because the contract says which tables these are. `report` is the
 * file `focus.json`.
 */
const storedFocus = z.object({
  version: z.literal(FOCUS_VERSION),
  row_count: z.int().min(0),
  size_bytes: z.int().min(1),
  sha256,
  blocks_sha256: sha256,
  report: z.object({ size_bytes: z.int().min(0), sha256 }),
});

const leftOut = {
  currency: z.string().regex(/^[A-Z]{3}$/),
  amount_cents: z.int(),
  entries: z.int().min(0),
};

/** Costs and approved value without a dollar figure, which no total includes: by currency, in cents of that currency. */
export const leftOutAmounts = z.object({
  cost: z.array(z.object(leftOut)).refine(currenciesDiffer, 'names a currency twice'),
  value: z
    .array(z.object({ ...leftOut, capacity_amount_cents: z.int(), capacity_entries: z.int().min(0) }))
    .refine(currenciesDiffer, 'names a currency twice'),
  /** Absent if nothing is left out, and in a snapshot of an older program. */
  reasons: z
    .array(
      z.object({
        table: z.enum(['cost_entries', 'value_entries', 'provider_bills', 'vendor_bills', 'card_charges']),
        reason: z.enum([
          'not_converted',
          'waiting',
          'no_published_rates',
          'before_first_rate',
          'no_period',
          'locked_without_rate',
          'too_large',
        ]),
        currency: leftOut.currency,
        entries: z.int().min(1),
      }),
    )
    .optional(),
});

const manifest = z.object({
  snapshot_id: z.string().refine(isSnapshotId, 'is not a snapshot id'),
  schema_version: z.literal(SCHEMA_VERSION),
  generated_at: instantText,
  /** Null if the ledger was read on a standby, which cannot know the transactions that are still open. */
  changes_from: instantText.nullable(),
  account_id: z.int().min(1),
  pg_snapshot: z.string().regex(/^\d+:\d+:[\d,]*$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  block_bytes: z.literal(BLOCK_BYTES),
  tables: z.array(storedTable).min(1).refine(namesDiffer, 'names a table twice'),
  /** Absent if the account switched them off, and in a snapshot of an older program. */
  companions: storedCompanions.optional(),
  /** Absent in a snapshot of an older program. */
  focus: storedFocus.optional(),
  files: z.array(storedFile).refine(namesDiffer, 'names a file twice'),
  /** Null if an older program wrote the manifest, which did not record this. */
  left_out: leftOutAmounts.nullable().default(null),
  versions: z.object({ writer: version, audit_engine: version, postgres: version }),
});

export type Manifest = z.infer<typeof manifest>;

/**
 * The manifest as a server sends it, without the fields that only the builder needs. The digest in the log is the digest of the
 * stored manifest, not of this form.
 */
const sentManifest = manifest.omit({ nonce: true, pg_snapshot: true, companions: true });

export type SentManifest = z.infer<typeof sentManifest>;
export type StoredTable = z.infer<typeof storedTable>;

/** The tables that are served: those of the contract, and the FOCUS file. */
export function servedTables({ tables, focus }: Pick<Manifest, 'tables' | 'focus'>): readonly StoredTable[] {
  if (focus === undefined) return tables;
  const { row_count, size_bytes, sha256: digest, blocks_sha256 } = focus;
  return [...tables, { name: FOCUS.name, row_count, size_bytes, sha256: digest, blocks_sha256 }];
}

/** Every file with blocks: the served tables and the companion tables. */
export function blockedFiles(
  named: Pick<Manifest, 'tables' | 'companions' | 'focus'>,
): readonly Omit<StoredTable, 'row_count'>[] {
  return [...servedTables(named), ...(named.companions?.tables ?? [])];
}

/** What the log entry, the key and the caller say about a manifest before it is read. */
export interface ExpectedManifest {
  readonly account_id: bigint;
  readonly snapshot_id: string;
  readonly nonce: string;
  readonly manifest_sha256: string;
}

/** The bytes to store. Throws for a manifest with an unknown or invalid field. */
export function encodeManifest(value: Manifest): Uint8Array {
  const stored = settle(z.safeEncode(manifest, value));
  if (!idIsMoment(value)) throw invalid('its id is not its moment');
  const { generated_at, changes_from } = stored;
  const bytes = encodeCanonical(stored);
  // Encoding drops unknown fields. If nothing was dropped, there were none.
  if (!encodeCanonical({ ...value, generated_at, changes_from }).equals(bytes)) {
    throw invalid('it has unknown fields');
  }
  return bytes;
}

/** Decodes stored bytes. Throws unless they are the expected manifest; drops unknown fields of a newer writer. */
export function decodeManifest(bytes: Uint8Array, expected: ExpectedManifest): Manifest {
  const found = sha256Hex(bytes);
  if (found !== expected.manifest_sha256) {
    throw invalid('its digest is not that of the log entry', { expected: expected.manifest_sha256, found });
  }
  const read = readManifest(bytes);
  if (BigInt(read.account_id) !== expected.account_id) throw invalid('it belongs to another account');
  if (read.snapshot_id !== expected.snapshot_id) throw invalid('it belongs to another snapshot');
  if (read.nonce !== expected.nonce) throw invalid('it belongs to another build');
  return read;
}

/** Decodes a manifest without a log entry, such as that of a copied folder. It checks only the form; throws if that is wrong. */
export function readManifest(bytes: Uint8Array): Manifest {
  requireSize(bytes);
  let value: unknown;
  try {
    value = decodeCanonical(bytes);
  } catch (error) {
    throw invalid('it is not canonical JSON', {}, error);
  }
  return check(value);
}

/** The manifest that a server sent, in any form of JSON; null for bytes that are no such manifest. */
export function readSentManifest(bytes: Uint8Array): SentManifest | null {
  requireSize(bytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
  // Only a stored manifest has the builder's `nonce`; `readManifest` must decode it, as canonical bytes.
  if (typeof value !== 'object' || value === null || 'nonce' in value) return null;
  const read = sentManifest.safeParse(value);
  return read.success && idIsMoment(read.data) ? read.data : null;
}

function requireSize(bytes: Uint8Array): void {
  if (bytes.length > MANIFEST_CAP_BYTES) throw invalid('it is larger than 1 MiB');
}

function check(value: unknown): Manifest {
  const read = settle(manifest.safeParse(value));
  if (!idIsMoment(read)) throw invalid('its id is not its moment');
  return read;
}

function settle<Value>(read: z.ZodSafeParseResult<Value>): Value {
  if (read.success) return read.data;
  const issues = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw invalid(`${issues.length} of its fields are wrong`, { issues });
}

function idIsMoment({ generated_at, snapshot_id }: SentManifest): boolean {
  return snapshotIdOf(generated_at) === snapshot_id;
}

function namesDiffer(entries: readonly { readonly name: string }[]): boolean {
  return new Set(entries.map((entry) => entry.name)).size === entries.length;
}

function currenciesDiffer(amounts: readonly { readonly currency: string }[]): boolean {
  return new Set(amounts.map(({ currency }) => currency)).size === amounts.length;
}

function invalid(why: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown): CrossfootError {
  return new CrossfootError('manifest_invalid', `manifest: refused, because ${why}.`, { data, cause });
}
