/** The SQL that finds the rows which the cells of one column name. */
import { escapeIdentifier, escapeLiteral } from 'pg';
import { tableName } from '../staging/catalogue.ts';
import type { StagedFile } from '../staging/staged-file.ts';
import { SOURCE_REF } from '../staging/spellings.ts';
import type { Spelling } from '../staging/load-table.ts';

export interface CandidateOptions {
  readonly source: string;
  readonly files: readonly StagedFile[];
  /** True if the rows of the file have no ids; then the temporary table `idsOf` has their ids. */
  readonly byRef: boolean;
}

/**
 * SQL for the distinct cells of a column, each with its account, the id that it names, and how many rows it names. It reads
 * the rows as they are after the load: a row of a file replaces the ledger's row with that id.
 */
export function candidatesOf(staged: StagedFile, spelling: Spelling, options: CandidateOptions): string {
  const name = escapeIdentifier(spelling.name);
  return `with cells as materialized (
      select distinct s.account_id::bigint as account, s.${name} as cell from ${staged.stage} s where s.${name} is not null
    ), matches as (
      ${relations(staged, spelling, options)
        .map((relation) => `select c.account, c.cell, t.id from cells c join ${relation}`)
        .join(' union ')}
    )
    select c.account, c.cell, min(m.id) as id, count(m.id)::int as found
    from cells c left join matches m on m.account = c.account and m.cell = c.cell group by 1, 2`;
}

/** The relations with the rows that can be named, each with the condition that a cell `c` names its row `t`. */
function relations(staged: StagedFile, spelling: Spelling, options: CandidateOptions): readonly string[] {
  const { source, files } = options;
  if (spelling.by === 'email') return [people(files, spelling.target)];
  const target = files.find(({ table }) => `${table.schema}.${table.name}` === spelling.target);
  const [schema = '', table = ''] = spelling.target.split('.');
  const own = staged.table.schema === schema && staged.table.name === table;
  const shared = spelling.target === 'ledger.initiative_templates';
  const account = shared ? 'true' : 't.account_id = c.account';
  const by = escapeIdentifier(spelling.by);
  const same = spelling.loose
    ? `service.name_key(t.${by}) = service.name_key(c.cell)`
    : `t.${by} = c.cell${spelling.by === 'load_ref' ? ` and t.load_source = ${escapeLiteral(source)}` : ''}`;
  const replaced = (rows: string): string =>
    `not exists (select from ${rows} r where r.id = t.id${shared ? '' : ' and r.account_id = t.account_id'})`;
  const ledger = `${tableName({ schema, name: table })} t on ${account} and ${same}`;
  if (own) {
    const rows = ownRows(staged, spelling, options);
    return rows === null
      ? [ledger]
      : [`${ledger} and ${replaced(rows)}`, `${rows} t on ${account} and ${same}`];
  }
  if (target === undefined) return [ledger];
  return [`${ledger} and ${replaced(target.rows)}`, `${target.rows} t on ${account} and ${same}`];
}

/** The temporary table with the id of each line of a file without ids. */
export function idsOf(table: string): string {
  return `pg_temp.${escapeIdentifier(`ids_${table}`)}`;
}

/** The rows of the file itself, which are not typed yet; null if the file does not have the compared column. */
function ownRows(
  { given, stage, table }: StagedFile,
  { by }: Spelling,
  { source, byRef }: CandidateOptions,
): string | null {
  const compared = by === 'load_ref' && byRef ? SOURCE_REF : by;
  if (!given.some(({ name }) => name === compared)) return null;
  const ids = idsOf(table.name);
  const load_source = given.some(({ name }) => name === 'load_source')
    ? 's.load_source'
    : escapeLiteral(source);
  return `(select s.account_id::bigint as account_id, ${byRef ? 'i.id' : 's.id::bigint'} as id,
      ${load_source}::text as load_source, s.${escapeIdentifier(compared)} as ${escapeIdentifier(by)}
    from ${stage} s ${byRef ? `join ${ids} i on i._line = s._line` : ''})`;
}

/** The people with their addresses as they are after the load: the members of the account, or all people. */
function people(files: readonly StagedFile[], target: string): string {
  const staged = (table: string): StagedFile | undefined => files.find((file) => file.table.name === table);
  const members = staged('memberships');
  const emails = staged('user_emails');
  const memberships = `select account_id, user_id from ledger.memberships${
    members === undefined ? '' : ` union select account_id, user_id from ${members.rows}`
  }`;
  const addresses =
    emails === undefined
      ? 'select user_id, email from vault.user_emails'
      : `select e.user_id, e.email from vault.user_emails e
           where not exists (select from ${emails.rows} r where r.user_id = e.user_id)
         union select user_id, email from ${emails.rows}`;
  const same = 'service.name_key(t.email) = service.name_key(c.cell)';
  if (target === 'ledger.users')
    return `(select e.user_id as id, e.email from (${addresses}) e) t on ${same}`;
  return `(select m.account_id, m.user_id as id, e.email
      from (${memberships}) m join (${addresses}) e on e.user_id = m.user_id) t
    on t.account_id = c.account and ${same}`;
}
