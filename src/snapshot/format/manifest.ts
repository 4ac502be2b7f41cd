/** The stored manifest: it lists the files of a snapshot. The log entry that publishes the snapshot names its digest. */
import { z } from 'zod';
import { CrossfootError } from '../../errors.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import { decodeCanonical, encodeCanonical } from './canonical-json.ts';
import { BLOCK_BYTES, sha256Hex } from './digest.ts';
import { instantText } from './instant-text.ts';
import { packedFiles } from './pack.ts';
import { isSnapshotId, snapshotIdOf } from './snapshot-id.ts';
import {
  namesDiffer,
  type NamedSets,
  servedFirst,
  SET_FIELDS,
  sha256,
  storedSets,
  type StoredSet,
  storedTable,
  UNSERVED,
} from './stored-sets.ts';

/** The maximum size of a manifest. One with fourteen tables has 4 KiB; the limit keeps a forged one from filling the memory. */
export const MANIFEST_CAP_BYTES = 1_048_576;

const version = z.string().min(1).max(100);

const storedFile = z.object({
  name: z
    .string()
    .regex(/^[a-z_]{1,40}\.(?:json|sql)$/)
    .refine((name) => !['manifest.json', 'quarantine.json', 'retracted.json'].includes(name), 'is reserved'),
  size_bytes: z.int().min(0),
  sha256,
});

const leftOut = {
  currency: z.string().regex(/^[A-Z]{3}$/),
  amount_cents: z.int(),
  entries: z.int().min(0),
};

/** The tables of bills and charges for AI. */
const BILLS = ['provider_bills', 'vendor_bills', 'card_charges'] as const;

/** Costs, approved value and bills that no dollar total includes: by currency, in cents of that currency. */
export const leftOutAmounts = z.object({
  cost: z.array(z.object(leftOut)).refine(currenciesDiffer, 'names a currency twice'),
  value: z
    .array(z.object({ ...leftOut, capacity_amount_cents: z.int(), capacity_entries: z.int().min(0) }))
    .refine(currenciesDiffer, 'names a currency twice'),
  /** Bills that no dollar total of AI spend includes; absent if there is none, and in a snapshot of an older program. */
  bills: z
    .array(z.object({ table: z.enum(BILLS), ...leftOut }))
    .refine(billsDiffer, 'names a table and currency twice')
    .optional(),
  /** Empty if no rate helps what is left out. Absent if nothing is left out, and in a snapshot of an older program. */
  reasons: z
    .array(
      z.object({
        table: z.enum(['cost_entries', 'value_entries', ...BILLS]),
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
        /** Absent in the manifest of an older program. */
        amount_cents: z.int().optional(),
        capacity_amount_cents: z.int().optional(),
        capacity_entries: z.int().min(1).optional(),
        rates_ended: z.literal(true).optional(),
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
  ...SET_FIELDS,
  files: z.array(storedFile).refine(namesDiffer, 'names a file twice'),
  /** The files that share one object; absent where each is an object of its own. */
  packed: packedFiles,
  /** Null if an older program wrote the manifest, which did not record this. */
  left_out: leftOutAmounts.nullable().default(null),
  versions: z.object({ writer: version, audit_engine: version, postgres: version }),
});

export type Manifest = z.infer<typeof manifest>;

/**
 * The manifest as a server sends it, without the fields that only the builder needs. The digest in the log is the digest of the
 * stored manifest, not of this form.
 */
const sentManifest = manifest.omit({ nonce: true, pg_snapshot: true, packed: true, ...UNSERVED });

export type SentManifest = z.infer<typeof sentManifest>;
export type StoredTable = z.infer<typeof storedTable>;

/** The tables that are served, with their rows. */
export function servedTables(named: NamedSets): readonly StoredTable[] {
  const served = storedSets(named).filter(({ set }) => set.served);
  return served.flatMap(({ tables }) => tables.filter((table): table is StoredTable => 'row_count' in table));
}

/** The tables of the sharing protocol: those that are served, and those that it alone sends. */
export function sharedTables(named: NamedSets): StoredSet['tables'] {
  return storedSets(named).flatMap(({ set, tables }) =>
    set.served ? tables : tables.filter(({ name }) => set.shared?.names[name] !== undefined),
  );
}

/** The files beside the tables that are served. */
export function servedFiles(named: NamedSets): StoredSet['files'] {
  return storedSets(named).flatMap(({ set, files }) => (set.served ? files : []));
}

/** Every file without blocks. */
export function smallFiles(named: NamedSets): StoredSet['files'] {
  return storedSets(named).flatMap(({ files }) => files);
}

/** Every file with blocks. */
export function blockedFiles(named: NamedSets): StoredSet['tables'] {
  return servedFirst(named).flatMap(({ tables }) => tables);
}

/** The file of the table of that name, also of a table that servers do not send; undefined if the snapshot has none. */
export function storedTableNamed(named: NamedSets, name: string): StoredSet['tables'][number] | undefined {
  return blockedFiles(named).find((table) => table.name === name);
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

function currenciesDiffer(amounts: readonly { readonly currency: string }[]): boolean {
  return new Set(amounts.map(({ currency }) => currency)).size === amounts.length;
}

function billsDiffer(bills: readonly { readonly table: string; readonly currency: string }[]): boolean {
  return new Set(bills.map(({ table, currency }) => `${table} ${currency}`)).size === bills.length;
}

function invalid(why: string, data: Readonly<Record<string, unknown>> = {}, cause?: unknown): CrossfootError {
  return new CrossfootError('manifest_invalid', `manifest: refused, because ${why}.`, { data, cause });
}
