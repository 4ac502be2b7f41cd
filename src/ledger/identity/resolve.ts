/** Replaces the names of rows in a staged file by ids, before its rows are typed: the later steps only see ids. */
import type { Client } from 'pg';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { readStatement } from '../../database/columns.ts';
import { tableName } from '../staging/catalogue.ts';
import type { LoadFaults } from '../staging/faults.ts';
import { redacted } from '../staging/redact.ts';
import { type StagedFile, withoutFaults } from '../staging/staged-file.ts';
import { candidatesOf, idsOf } from './candidates.ts';
import { SOURCE_REF, hasLoadRef } from '../staging/spellings.ts';
import type { Spelling } from '../staging/load-table.ts';

export interface ResolveOptions {
  /** The source of this load (`--source`): a `source_ref` names a row within one source. */
  readonly source: string;
  /** The files whose rows are typed already: their rows can be named, too. */
  readonly files: readonly StagedFile[];
  /** The names of all files of the load. */
  readonly names: readonly string[];
  readonly faults: LoadFaults;
}

/** A spelling that a file uses, and the temporary table with the ids that were found for its cells. */
interface Found {
  readonly spelling: Spelling;
  readonly relation: string;
}

/**
 * For a file without ids: each row gets the id of the ledger's row with the same name, or a new id. Each name in a
 * reference is replaced by the id of the named row. A row with a name that cannot be resolved is left out, and gets a fault.
 */
export async function resolveNames(
  client: Client,
  staged: StagedFile,
  options: ResolveOptions,
): Promise<StagedFile> {
  const { table, given } = staged;
  const has = (name: string): boolean => given.some((column) => column.name === name);
  const byRef = hasLoadRef(table) && !has('id');
  const spelled = table.spellings.filter(({ name }) => has(name));
  const added = given.filter((column) => !table.columns.includes(column));
  if (!byRef && added.length === 0) return staged;

  let named = staged;
  if (byRef) {
    await refuseRefs(client, staged, options.faults);
    named = await withoutFaults(client, staged, options.faults);
    await giveIds(client, named, options.source);
  }
  const found: Found[] = [];
  for (const [index, spelling] of spelled.entries()) {
    const relation = escapeIdentifier(`found_${index}_${table.name}`);
    const matches = candidatesOf(named, spelling, { ...options, byRef });
    await client.query(`create temp table ${relation} on commit drop as ${matches}`);
    found.push({ spelling, relation: `pg_temp.${relation}` });
    await refuseNames(client, named, { spelling, relation: `pg_temp.${relation}` }, options);
  }
  return await keyed(client, named, found, byRef ? options.source : null);
}

/** The staged file with a column of ids for each column of names. */
async function keyed(
  client: Client,
  staged: StagedFile,
  found: readonly Found[],
  source: string | null,
): Promise<StagedFile> {
  const { table, given, stage } = staged;
  const relation = escapeIdentifier(`keyed_${table.name}`);
  const ids = found.map(
    ({ spelling }, index) => `f${index}.id::text as ${escapeIdentifier(spelling.column)}`,
  );
  const joins = found.map(
    ({ spelling, relation: cells }, index) =>
      `left join ${cells} f${index} on f${index}.account = s.account_id::bigint
         and f${index}.cell = s.${escapeIdentifier(spelling.name)}`,
  );
  const key =
    source === null
      ? []
      : ['i.id::text as id', `${escapeLiteral(source)}::text as load_source`, `s.${SOURCE_REF} as load_ref`];
  await client.query(
    `create temp table ${relation} on commit drop as
     select s.*${[...key, ...ids].map((column) => `, ${column}`).join('')}
     from ${stage} s ${source === null ? '' : `join ${idsOf(table.name)} i on i._line = s._line`} ${joins.join(' ')}`,
  );
  let isPart = staged.isPart;
  for (const { spelling, relation: cells } of found) {
    const { rowCount } = await client.query(
      `delete from ${relation} s using ${cells} f
       where f.account = s.account_id::bigint and f.cell = s.${escapeIdentifier(spelling.name)} and f.found <> 1`,
    );
    isPart ||= rowCount !== 0;
  }
  await client.query(`analyze ${relation}`);
  const filled = new Set([
    ...(source === null ? [] : ['id', 'load_source', 'load_ref']),
    ...found.map(({ spelling }) => spelling.column),
  ]);
  const names = new Map([
    ...given.map(({ name }) => [name, name] as const),
    ...(source === null ? [] : [['id', SOURCE_REF] as const, ['load_ref', SOURCE_REF] as const]),
    ...found.map(({ spelling }) => [spelling.column, spelling.name] as const),
  ]);
  return {
    ...staged,
    given: table.columns.filter((column) => given.includes(column) || filled.has(column.name)),
    stage: `pg_temp.${relation}`,
    source,
    isPart,
    names,
  };
}

/** Gives each row the id of the ledger's row of that name, or the next one of the table's sequence, in the order of lines. */
async function giveIds(client: Client, { table, given, stage }: StagedFile, source: string): Promise<void> {
  const sequence = `pg_get_serial_sequence(${escapeLiteral(tableName(table))}, 'id')::regclass`;
  // A writer may have used ids above the sequence's last value. Move the sequence past those ids, so that no new row gets an id twice.
  await client.query(
    `select setval(${sequence}, taken.id) from (
       select max(t.id) as id from ${tableName(table)} t
       where t.account_id in (select distinct s.account_id::bigint from ${stage} s)
     ) as taken
     where taken.id >= coalesce(pg_sequence_last_value(${sequence}), 0)`,
  );
  // A trigger of cost entries creates their vendor, without a source_ref. A file of vendors may later give it one.
  const adopts = table.name === 'vendors' && given.some(({ name }) => name === 'name');
  const unnamed = adopts
    ? `left join ledger.vendors a on t.id is null and a.account_id = s.account_id::bigint and a.load_ref is null
         and a.name_key = service.name_key(s.name)`
    : '';
  await client.query(
    `create temp table ${escapeIdentifier(`ids_${table.name}`)} on commit drop as
     select named._line, coalesce(named.id, nextval(${sequence})) as id
     from (
       select s._line, ${adopts ? 'coalesce(t.id, a.id) as id' : 't.id'} from ${stage} s
       left join ${tableName(table)} t on t.account_id = s.account_id::bigint
         and t.load_source = ${escapeLiteral(source)} and t.load_ref = s.${SOURCE_REF}
       ${unnamed}
       order by s._line
       offset 0
     ) as named`,
  );
  if (!adopts) return;
  await client.query(
    `update ledger.vendors t set load_source = ${escapeLiteral(source)}, load_ref = s.${SOURCE_REF}
     from ${stage} s join ${idsOf(table.name)} i on i._line = s._line
     where t.account_id = s.account_id::bigint and t.id = i.id and t.load_ref is null`,
  );
}

/** Adds a fault for each row whose own name is empty or repeated. */
async function refuseRefs(client: Client, staged: StagedFile, faults: LoadFaults): Promise<void> {
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select line, ref, first from (
       select s._line as line, s.${SOURCE_REF} as ref, min(s._line) over (partition by s.account_id::bigint, s.${SOURCE_REF}) as first
       from ${staged.stage} s) as named
     where service.trimmed(coalesce(ref, '')) = '' or first < line
     order by line limit ${faults.room()}`,
    columns: { line: 'int8', ref: 'text?', first: 'int8' },
  });
  for (const { line, ref, first } of rows) {
    const expected =
      (ref ?? '').trim() === ''
        ? 'a name of your own for this row: without an id, the row is found again by its source_ref'
        : `a name of its own for each row; line ${first} has the same`;
    faults.add({ file: staged.file, line: Number(line), column: SOURCE_REF, value: ref, expected });
  }
}

/** Adds a fault for each cell that names no row, or several. */
async function refuseNames(
  client: Client,
  staged: StagedFile,
  { spelling, relation }: Found,
  { source, files, names, faults }: ResolveOptions,
): Promise<void> {
  const rows = await readStatement(client, {
    name: staged.file,
    text: `select s._line as line, f.cell, f.found
     from ${staged.stage} s
     join ${relation} f on f.account = s.account_id::bigint and f.cell = s.${escapeIdentifier(spelling.name)}
     where f.found <> 1
     order by 1 limit ${faults.room()}`,
    columns: { line: 'int8', cell: 'text', found: 'int4' },
  });
  // If the file of the named rows has faults, the missing row may be among the faulty ones: do not report the name too.
  const target = spelling.target.split('.')[1] ?? '';
  const its = target === staged.table.name ? staged : files.find((file) => file.table.name === target);
  if (names.includes(`${target}.csv`) && its?.isPart !== false) return;
  for (const { line, cell, found } of rows) {
    const value = redacted(staged.table, spelling.column, cell);
    const place = spelling.by === 'load_ref' ? ` "${source}", in the files or the ledger` : '';
    const expected =
      found === 0
        ? `${spelling.meaning}${place || addRow(target)}`
        : `${spelling.meaning}; ${found} have it: name the row another way`;
    faults.add({ file: staged.file, line: Number(line), column: spelling.name, value, expected });
  }
}

/** How a row that is not there comes into the ledger. */
function addRow(target: string): string {
  return ['users', 'memberships'].includes(target)
    ? '; npx --no crossfoot people invite adds one'
    : `; add a row for it to ${target}.csv`;
}
