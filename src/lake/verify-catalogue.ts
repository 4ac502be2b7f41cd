/**
 * Recomputes a saved catalogue: from the log up to the entry, and the marks up to the mark, that it states, and from the
 * snapshots that it shows. What a log cannot tell is named: the address of the server, and where sealed links lead.
 */
import { CrossfootError } from '../errors.ts';
import type { Marks } from '../snapshot/format/marks.ts';
import { schemaOfPin } from '../snapshot/format/pin-schema.ts';
import type { PublishLog } from '../snapshot/format/publish-log.ts';
import { pinnedUrl } from '../snapshot/format/served-manifest.ts';
import { catalogueRows, METADATA } from './catalogue-rows.ts';
import { CATALOGUE_TABLES, type CatalogueTable } from './catalogue-tables.ts';
import { type CatalogueOffence, differences } from './compare-catalogue.ts';
import { cacheStored, gatherLake, type LakeSource } from './gather-lake.ts';
import { openLake } from './gathered-lake.ts';
import type { AddressOf } from './lake.ts';
import { type TextRow, type TextRows, textRows } from './read-catalogue.ts';

/** Which log and marks a catalogue says that it was derived from. */
export interface StatedSource {
  readonly account_id: bigint;
  readonly log_entry: number;
  readonly marks: number;
  /** The address of the API of the server that made it. */
  readonly base_url: string;
}

export interface CatalogueReport {
  readonly checks: readonly {
    readonly name: CatalogueTable;
    readonly passed: boolean;
    readonly offences: readonly CatalogueOffence[];
  }[];
  readonly unchecked: readonly string[];
}

const DATA_PATH = /^(https?:\/\/.+\/v1)\/reporting\/snapshots\/$/;
const POSITIVE = /^[1-9]\d{0,14}$/;
const LINK = /\/links\/[\w-]+\//;

/** What the catalogue states of itself; throws `verify_refused` if it states nothing that can be recomputed. */
export function statedSource(saved: TextRows): StatedSource {
  const metadata = new Map(
    (saved.get('ducklake_metadata') ?? []).map((row) => [row['key'], row['value'] ?? '']),
  );
  const [account = '', log_entry = '', marks = '', path = ''] = [
    METADATA.account,
    METADATA.log_entry,
    METADATA.marks,
    'data_path',
  ].map((key) => metadata.get(key) ?? '');
  const base_url = DATA_PATH.exec(path)?.[1];
  if (
    base_url === undefined ||
    !POSITIVE.test(account) ||
    !POSITIVE.test(log_entry) ||
    !/^\d{1,15}$/.test(marks)
  ) {
    throw new CrossfootError(
      'verify_refused',
      'The catalogue does not state its account, its log entry, its marks and its server.',
      { hint: 'Save the catalogue again; do not use this one.' },
    );
  }
  return { account_id: BigInt(account), log_entry: Number(log_entry), marks: Number(marks), base_url };
}

/** Derives the catalogue again and compares every row. `log` and `marks` are all that is stored now. */
export async function verifyCatalogue(
  saved: TextRows,
  stored: { readonly log: PublishLog; readonly marks: Marks; readonly source: LakeSource },
): Promise<CatalogueReport> {
  const stated = statedSource(saved);
  const { entries } = stored.log;
  if (entries.length < stated.log_entry || stored.marks.length < stated.marks) {
    throw new CrossfootError(
      'verify_refused',
      `The catalogue was derived from log entry ${stated.log_entry} and ${stated.marks} marks, but the store has ${entries.length} entries and ${stored.marks.length} marks.`,
      { hint: 'Verify it against the store of the server that made it.' },
    );
  }
  const files = saved.get('ducklake_data_file') ?? [];
  const shown = new Set(files.map((file) => file['begin_snapshot']));
  const schemas = new Set((saved.get('ducklake_schema') ?? []).map((row) => row['schema_name']));
  const gathered = await gatherLake(
    {
      log: { ...stored.log, entries: entries.slice(0, stated.log_entry) },
      marks: marksTo(stored.marks, stated.marks),
      shows: ({ seq }) => shown.has(String(seq)),
      pinsOf: ({ pins }) =>
        [...pins.values()]
          .filter(({ name, released_at }) => released_at === null && schemas.has(schemaOfPin(name)))
          .map(({ name }) => name)
          .toSorted(),
    },
    stored.source,
    cacheStored(),
  );
  const hasLinks = files.some(({ path }) => LINK.test(path ?? ''));
  const addressOf: AddressOf = (id, table) =>
    hasLinks
      ? `${stated.base_url.replace(/\/v1$/, '')}/links/sealed/${table}.parquet`
      : `${pinnedUrl(id, stated.base_url)}/${table}.parquet`;
  const derived = textRows(catalogueRows(openLake(gathered), { base_url: stated.base_url, addressOf }));
  const unsealed = new Map(saved).set('ducklake_data_file', files.map(withoutSeal));
  return {
    checks: [...CATALOGUE_TABLES.keys()].map((name) => {
      const offences = differences(name, derived, unsealed);
      return { name, passed: offences.length === 0, offences };
    }),
    unchecked: [
      `The addresses: they lead to ${new URL(stated.base_url).origin}; check that this is your server.`,
      'The snapshots and pins that had ended when it was made: a log does not state the time of reading.',
      ...(hasLinks ? ['The links: they are sealed, so the store cannot tell which file each opens.'] : []),
    ],
  };
}

function withoutSeal(file: TextRow): TextRow {
  return { ...file, path: file['path']?.replace(LINK, '/links/sealed/') ?? null };
}

/** The marks as they were when there were this many. */
function marksTo(marks: Marks, length: number): Marks {
  const of = new Map([...marks.of].map(([id, own]) => [id, own.filter(({ seq }) => seq <= length)]));
  return { ...marks, of, length };
}
