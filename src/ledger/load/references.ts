/** Finds foreign keys whose row is neither in the ledger nor in the files. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { tableName } from '../staging/catalogue.ts';
import type { LoadReference } from '../staging/load-table.ts';
import { askRows } from './checks.ts';
import type { LoadFaults } from '../staging/faults.ts';
import type { LoadMode } from '../staging/mode.ts';
import { sameKey } from './rows.ts';
import type { StagedFile } from '../staging/staged-file.ts';

export interface ReferenceOptions {
  readonly files: readonly StagedFile[];
  readonly faults: LoadFaults;
  readonly mode: LoadMode;
  /** True if rows of the ledger that are missing from the file will be deleted. */
  readonly deletes: (target: StagedFile) => boolean;
}

/** Adds a fault for each reference without a row. A reference to a file that was not read whole gives no fault. */
export async function checkReferences(
  client: Client,
  staged: StagedFile,
  { files, faults, deletes, mode }: ReferenceOptions,
): Promise<void> {
  const given = new Set(staged.given.map((column) => column.name));
  for (const reference of staged.table.references) {
    // A column that the file lacks stays unchanged, or a trigger sets it.
    if (!reference.columns.every((column) => given.has(column))) continue;
    const target = files.find(({ table }) => `${table.schema}.${table.name}` === reference.target);
    if (target === undefined ? faults.has(fileOf(reference)) : target.isPart) continue;
    // Nearly every key includes the account, which is rarely what is wrong: name the other columns.
    const [account, ...others] = reference.columns;
    await askRows(client, staged, faults, {
      columns: account === 'account_id' && others.length > 0 ? others : reference.columns,
      wrong: [
        `num_nulls(${reference.columns.map((column) => `r.${escapeIdentifier(column)}`).join(', ')}) = 0`,
        `not exists (${inLedger(reference, target !== undefined && deletes(target) ? target : null, mode)})`,
        ...(target === undefined ? [] : [`not exists (${named(reference, target.rows)})`]),
      ].join(' and '),
      expected: escapeLiteral(`a row of ${reference.target.split('.')[1]} in the ledger or the files`),
    });
  }
}

function fileOf(reference: LoadReference): string {
  return `${reference.target.split('.')[1]}.csv`;
}

function inLedger(reference: LoadReference, shrinking: StagedFile | null, mode: LoadMode): string {
  const [schema = '', name = ''] = reference.target.split('.');
  const there = named(reference, tableName({ schema, name }));
  if (shrinking === null) return there;
  const stays = `exists (select from ${shrinking.rows} k where ${sameKey(shrinking.table, 'k', 't')})`;
  if (mode === 'replace-account' || shrinking.source === null) return `${there} and ${stays}`;
  // Rows of other sources are not deleted.
  return `${there} and (t.load_source is distinct from ${escapeLiteral(shrinking.source)} or ${stays})`;
}

function named(reference: LoadReference, table: string): string {
  const pairs = reference.columns.map(
    (column, index) =>
      `t.${escapeIdentifier(reference.targetColumns[index] ?? '')} = r.${escapeIdentifier(column)}`,
  );
  return `select from ${table} t where ${pairs.join(' and ')}`;
}
