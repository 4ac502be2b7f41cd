/**
 * What an account shares: one share. In its schema `reporting`, each published snapshot is a version. It also has a
 * schema for each name of a pin, for clients that cannot ask for a version. Names do not depend on upper or lower
 * case. A table that not every snapshot has is listed where the newest version of the schema has it.
 */
import { createHash } from 'node:crypto';
import { CrossfootError } from '../../errors.ts';
import { REPORTING_SCHEMA, schemaOfPin } from '../../snapshot/format/pin-schema.ts';
import type { SnapshotVersion } from '../../snapshot/read/snapshot-version.ts';
import { SHARED_TABLES, type SharedTable } from '../../tables/file-sets.ts';

export const SHARE = 'crossfoot';

export interface SharedSchema {
  readonly name: string;
  /** Oldest first; in `reporting` also the versions that can no longer be read. */
  readonly versions: readonly SnapshotVersion[];
}

/** `reporting` first, then the schemas of the pins by name. */
export function schemasOf(versions: readonly SnapshotVersion[]): readonly SharedSchema[] {
  const pinned = Map.groupBy(
    versions.flatMap((version) => version.pins.map((pin) => [schemaOfPin(pin), version] as const)),
    ([name]) => name,
  );
  pinned.delete(REPORTING_SCHEMA); // such a pin is older than the rule that refuses this name
  const schemas = [...pinned].map(([name, pairs]) => ({
    name,
    versions: [...new Set(pairs.map(([, version]) => version))],
  }));
  return [{ name: REPORTING_SCHEMA, versions }, ...schemas.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
}

/** Throws 404 for a share that is not the account's. */
export function requireShare(name: string): void {
  if (name.toLowerCase() === SHARE) return;
  throw missing(`There is no share ${JSON.stringify(name)}. The account has one: ${SHARE}.`);
}

/** The schema of that name; throws 404 if there is none. */
export function requireSchema(versions: readonly SnapshotVersion[], name: string): SharedSchema {
  const schemas = schemasOf(versions);
  const schema = schemas.find((each) => each.name === name.toLowerCase());
  if (schema !== undefined) return schema;
  const names = schemas.map((each) => each.name).join(', ');
  throw missing(`There is no schema ${JSON.stringify(name)}. The share has ${names}.`);
}

/** The table of that name; throws 404 if there is none. */
export function requireSharedTable(name: string): SharedTable {
  const table = SHARED_TABLES.find((each) => each.name === name.toLowerCase());
  if (table !== undefined) return table;
  const every = namesOf(SHARED_TABLES.filter(({ lacking }) => lacking === undefined));
  const some = namesOf(SHARED_TABLES.filter(({ lacking }) => lacking !== undefined));
  throw missing(
    `There is no table ${JSON.stringify(name)}. Every schema has ${every}; some also have ${some}.`,
  );
}

function namesOf(tables: readonly SharedTable[]): string {
  return tables.map(({ name }) => name).join(', ');
}

/** The id of a share, schema or table: a UUID made from the account and the names only, so that it never changes. */
export function sharedId(account_id: bigint, ...names: readonly string[]): string {
  const hash = createHash('sha256').update(['crossfoot share', account_id, ...names].join('\n'));
  const hex = hash.digest('hex');
  // UUID version 8 (RFC 9562): its content is defined by this program.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The shared tables of these schemas, as the protocol lists them. `has` says whether a schema has a table. */
export async function listTables(
  account_id: bigint,
  schemas: readonly SharedSchema[],
  has: (schema: SharedSchema, table: SharedTable) => Promise<boolean>,
) {
  const listed = schemas.map(async (shared) => {
    const { name: schema } = shared;
    const held = await Promise.all(SHARED_TABLES.map((table) => has(shared, table)));
    return SHARED_TABLES.filter((_, index) => held[index]).map(({ name }) => ({
      name,
      schema,
      share: SHARE,
      shareId: sharedId(account_id),
      id: sharedId(account_id, schema, name),
    }));
  });
  return (await Promise.all(listed)).flat();
}

function missing(message: string): CrossfootError {
  return new CrossfootError('not_found', message);
}
