/** The shapes of snapshots in the reporting routes: a manifest, and the list of all. */
import { z } from '@hono/zod-openapi';
import { LEFT_OUT_TABLE_NAMES, REASON_NAMES } from '../../figures/left-out-reasons.ts';
import { SCHEMA_VERSION } from '../../tables/describe.ts';
import { billsLeftOut, costLeftOut, valueLeftOut } from './left-out-shapes.ts';
import { arrayOf, component, integer, oneOfThese, text, timestamp } from './shapes.ts';

const snapshot_id = z
  .string()
  .regex(/^\d{8}T\d{6}Z$/)
  .meta({ description: 'The moment the snapshot was read, cut to the second, in UTC.' });
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const version = z
  .literal(SCHEMA_VERSION)
  .meta({ description: 'The version of the tables; within it tables and columns are only added.' });
const generated_at = timestamp('The moment at which every table was read, in UTC, to the microsecond.');
const expires_at = timestamp(
  'The snapshot can be read at least until then; null while it is the newest.',
).nullable();
const pins = arrayOf(
  z
    .looseObject({
      name: text('The name of the pin, such as `close-2026-10`.'),
      at: timestamp('When it was set, by the clock of the storage.'),
      until: timestamp('When it ends.'),
    })
    .meta({ id: 'SnapshotPin', description: 'A pin, which keeps a snapshot until its end.' }),
  'Pins that keep the snapshot after its expiry; empty without pins.',
);
const retraction = z
  .looseObject({
    reason: text('What is wrong with it.'),
    at: timestamp('When it was retracted.'),
    replaced_by: snapshot_id
      .nullable()
      .meta({ description: 'The snapshot to read instead; null when none was named.' }),
  })
  .nullable()
  .meta({
    description: 'Why the snapshot must no longer be used; its files stay. Null when it was not retracted.',
  });
const quarantine = z
  .strictObject({
    at: timestamp('When the damage was found.'),
    files: arrayOf(z.string(), 'The stored files that differ from what was audited.'),
  })
  .nullable()
  .meta({
    description:
      'The files that a scrub found damaged, which are refused with 503; null when there are none.',
  });

const storedTable = component('SnapshotTable', 'One table of a snapshot, as a Parquet file.', {
  name: text('The published name of the table.'),
  row_count: integer('How many rows the file has.'),
  size_bytes: integer('The length of the file.'),
  sha256: sha256.meta({ description: 'The SHA-256 of the whole file, in hexadecimal.' }),
  blocks_sha256: sha256.meta({
    description: 'The SHA-256 of the digests of its blocks of `block_bytes`, joined, 32 bytes each.',
  }),
  url: z
    .url()
    .meta({ description: 'The address of the file in this snapshot; it never leads to a newer one.' }),
});

const focus = component(
  'SnapshotFocus',
  'The costs of a snapshot in the format of FOCUS, as a Parquet file.',
  {
    version: text('The version of FOCUS that the file claims.'),
    row_count: integer('How many rows the file has: as many as `costs`.'),
    size_bytes: integer('The length of the file.'),
    sha256: sha256.meta({ description: 'The SHA-256 of the whole file, in hexadecimal.' }),
    blocks_sha256: sha256.meta({ description: 'The SHA-256 of the digests of its blocks, as of a table.' }),
    report: z
      .strictObject({
        size_bytes: integer('The length of `focus.json`.'),
        sha256: sha256.meta({ description: 'The SHA-256 of `focus.json`, in hexadecimal.' }),
      })
      .meta({ description: '`focus.json`, beside the tables: the columns, and every check of the audit.' }),
    url: z.url().meta({ description: 'The address of the file in this snapshot.' }),
  },
);

const storedFile = component(
  'SnapshotFile',
  'A file stored beside the tables, such as the report of the audit.',
  {
    name: text('The name of the file.'),
    size_bytes: integer('The length of the file.'),
    sha256: sha256.meta({ description: 'The SHA-256 of the file, in hexadecimal.' }),
  },
);

const versions = z
  .strictObject({
    writer: text('The program that wrote the files.'),
    audit_engine: text('The engine that audited them.'),
    postgres: text('The server whose ledger was read.'),
  })
  .meta({ description: 'The programs that made this snapshot.' });

const leftOutReason = component(
  'LeftOutReason',
  'Why entries of one table and currency have no dollar figure.',
  {
    table: oneOfThese(LEFT_OUT_TABLE_NAMES, 'The table of the entries.'),
    reason: oneOfThese(
      REASON_NAMES,
      'A conversion helps `not_converted`. An import of published rates helps `waiting` and `no_published_rates`. After a reopening of the month a conversion helps `locked_without_rate`. Nothing helps the others.',
    ),
    currency: text('The ISO 4217 currency of the entries.'),
    entries: integer('The number of entries.'),
    amount_cents: integer(
      'Their sum in cents of `currency`, of approved value the cash alone; absent if it passes 2^53 - 1, and in snapshots of an older program.',
    ).optional(),
    capacity_amount_cents: integer(
      'The same of the capacity among approved value; absent if there is none.',
    ).optional(),
    capacity_entries: integer('How many of the entries are capacity; absent if none is.').optional(),
    rates_ended: z
      .literal(true)
      .meta({
        description:
          'True if no import helps `waiting` entries: the published rates of their currency end before their period does. Absent otherwise.',
      })
      .optional(),
  },
);

const left_out = z
  .strictObject({
    cost: arrayOf(costLeftOut, 'Cost, by currency; empty when every cost has dollars.'),
    value: arrayOf(valueLeftOut, 'Approved value, by currency; empty when all entries have dollars.'),
    bills: arrayOf(
      component(
        'BillsLeftOut',
        'Bills for AI of one table and currency that no row of `ai_spend` has.',
        billsLeftOut,
      ),
      'Bills of providers and AI vendors without dollars, and charges of AI vendors in another currency; absent when there is none, and in snapshots of an older program.',
    ).optional(),
    reasons: arrayOf(
      leftOutReason,
      'Why the entries have no dollar figure, by table, reason and currency; empty when only card charges are left out; absent when nothing is left out, and in snapshots of an older program.',
    ).optional(),
  })
  .nullable()
  .meta({
    description:
      'Amounts that the dollar totals omit at the moment of the snapshot, mostly because they have no dollar figure; null in snapshots that do not record them.',
  });

/** The manifest of a snapshot. */
export const snapshotManifest = component(
  'SnapshotManifest',
  'The content of a snapshot: rows, bytes, digest and address of each table.',
  {
    snapshot_id,
    schema_version: version,
    generated_at,
    changes_from: timestamp(
      'Pass it as `updated_since` to the lists to continue from this snapshot without a gap; null for a snapshot read from a standby.',
    ).nullable(),
    account_id: integer('The account whose figures these are.'),
    block_bytes: integer('The length of the blocks, each of which has a stored digest.'),
    tables: arrayOf(storedTable, 'Every table of the snapshot.'),
    focus: focus.optional().meta({
      description: 'Beside the tables, not one of them; absent in snapshots of an older program.',
    }),
    files: arrayOf(storedFile, 'The files stored beside the tables.'),
    left_out,
    versions,
    expires_at,
    pins,
    retraction,
    quarantine,
  },
);

/** All snapshots that may be read. */
export const snapshotList = component('SnapshotList', 'The snapshots that can be read.', {
  data: arrayOf(
    component('ListedSnapshot', 'A snapshot, as the list names it.', {
      snapshot_id,
      generated_at,
      schema_version: version,
      size_bytes: integer('The length of all its tables together.'),
      expires_at,
      pins,
      retraction,
      quarantine,
      url: z.url().meta({ description: 'The address of its manifest.' }),
    }),
    'The snapshots that can be read now, newest first.',
  ),
});
