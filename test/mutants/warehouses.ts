/** What a warehouse gets of a snapshot: its rows once and whole, and descriptions that hold. */
import type { Mutants } from './mutant.ts';

export const WAREHOUSES: Mutants = {
  'warehouse-compares-one-snapshot': {
    rule: 'the comparison counts the rows of its snapshot alone, also where the tables hold several',
    file: 'src/warehouse/compare-digests.ts',
    find: "where ${nameIn(dialect, 'snapshot_id')} = ${textIn(dialect, snapshot_id)}",
    replace: "where ${nameIn(dialect, 'snapshot_id')} <= ${textIn(dialect, snapshot_id)}",
    caughtBy: ['test/warehouse/loaded.test.ts'],
  },
  'warehouse-compares-no-values': {
    rule: 'the comparison finds values in a column that has none in the snapshot',
    file: 'src/warehouse/compare-digests.ts',
    find: "return value === undefined ? [] : [{ column: column.name, measure, value: value ?? '' }];",
    replace: 'return value === undefined || value === null ? [] : [{ column: column.name, measure, value }];',
    caughtBy: ['test/warehouse/digests.test.ts'],
  },
  'warehouse-compares-every-fact': {
    rule: 'the comparison reports every fact that differs, also of the last column',
    file: 'src/warehouse/compare-digests.ts',
    find: "${cases.join(' ||\\n')} as difference",
    replace: "${cases.slice(0, -1).join(' ||\\n')} as difference",
    caughtBy: ['test/warehouse/digests.test.ts'],
  },
  'warehouse-counts-empty-values': {
    rule: 'the digests state how many values of a column are empty',
    file: 'src/warehouse/digests.ts',
    find: "if (measure === 'nulls') return shown(dialect, `count(*) - count(${name})`);",
    replace: "if (measure === 'nulls') return shown(dialect, `count(${name})`);",
    caughtBy: ['test/warehouse/digests.test.ts'],
  },
  'warehouse-duckdb-replaces-all': {
    rule: 'a load without --history leaves the rows of the new snapshot alone',
    file: 'src/warehouse/into-duckdb.ts',
    find: 'if (!history) await connection.run(`drop table if exists ${name}`);',
    replace:
      "if (!history && table.name !== 'snapshot') await connection.run(`drop table if exists ${name}`);",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-duckdb-new-columns': {
    rule: 'a history that an older program began gets the columns that were added since',
    file: 'src/warehouse/into-duckdb.ts',
    find: 'else await addMissingColumns(connection, table, schema);\n',
    replace: 'else if (columns.length === 0) await addMissingColumns(connection, table, schema);\n',
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-duckdb-schemas-apart': {
    rule: 'schemas of one file are separate: the tables of one schema do not count for another',
    file: 'src/warehouse/into-duckdb.ts',
    find: "'select column_name from duckdb_columns() where schema_name = $1 and table_name = $2',\n    [schema, table.name],",
    replace:
      '"select column_name from duckdb_columns() where $1 <> \'\' and table_name = $2",\n    [schema, table.name],',
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-duckdb-all-or-none': {
    rule: 'a load that fails leaves the earlier snapshot as it was: all tables or none',
    file: 'src/warehouse/into-duckdb.ts',
    find: "await connection.run(`insert into ${name} (${columns.join(', ')}) ${select}`);",
    replace:
      "await connection.run(`insert into ${name} (${columns.join(', ')}) ${select}`);\n      await connection.run('commit');\n      await connection.run('begin transaction');",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-postgres-replaces': {
    rule: 'a load without --history replaces the rows of the snapshot before',
    file: 'src/warehouse/into-postgres.ts',
    find: "if (!history) await client.query(`delete from ${qualifiedName(file.table, 'postgres', schema)}`);",
    replace:
      "if (!history && held.length > 1) await client.query(`delete from ${qualifiedName(file.table, 'postgres', schema)}`);",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-postgres-schemas-apart': {
    rule: 'a schema made by an older program gets new columns, whatever other schemas of the database have',
    file: 'src/warehouse/into-postgres.ts',
    find: 'where table_schema = $1 and table_name = $2`,\n    values: [schema, table.name],',
    replace: "where $1::text <> '' and table_name = $2`,\n    values: [schema, table.name],",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-postgres-one-at-a-time': {
    rule: 'two loads at once into one schema load a snapshot once',
    file: 'src/warehouse/into-postgres.ts',
    find: "await client.query('select pg_advisory_xact_lock(hashtext($1))', [`crossfoot pull ${schema}`]);",
    replace:
      "await client.query('select pg_advisory_xact_lock(hashtext($1))', [`crossfoot pull ${schema} ${process.pid}`]);",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-older-snapshot': {
    rule: 'a snapshot that an older version built, without a newer column, can be loaded',
    file: 'src/warehouse/pulled-files.ts',
    find: 'const columns = table.columns.map(({ name }) => name).filter((name) => there.has(JSON.stringify(name)));',
    replace:
      'const columns = table.columns.map(({ name }) => name).filter((name) => there.size > 0 || there.has(name));',
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-newer-snapshot': {
    rule: 'a snapshot of a newer server with a further column can be loaded; each value lands in its own column',
    file: 'src/warehouse/pulled-files.ts',
    find: "files.push({ table, columns, select: `select ${columns.join(', ')} from ${source}` });",
    replace: 'files.push({ table, columns, select: `select * from ${source}` });',
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-folder-with-apostrophes': {
    rule: 'a folder whose name has apostrophes can be loaded',
    file: 'src/warehouse/pulled-files.ts',
    find: "return `'${text.replaceAll(\"'\", \"''\")}'`;",
    replace: "return `'${text.replace(\"'\", \"''\")}'`;",
    caughtBy: ['test/warehouse/into-targets.test.ts'],
  },
  'warehouse-contract-of-each-snapshot': {
    rule: 'the rules of the contract hold for tables with several snapshots, each on its own',
    file: 'src/warehouse/data-contract.ts',
    find: "where v.snapshot_id = t.snapshot_id and v.entry_type <> 'capacity')`,",
    replace: "where v.entry_type <> 'capacity')`,",
    caughtBy: ['test/warehouse/descriptors.test.ts'],
  },
  'warehouse-contract-required': {
    rule: 'the contract says of each column whether a value may be missing',
    file: 'src/warehouse/data-contract.ts',
    find: 'required: !nullable,',
    replace: 'required: nullable,',
    caughtBy: ['test/warehouse/descriptors.test.ts'],
  },
  'warehouse-package-own-digest': {
    rule: 'the package has the size and digest of each file',
    file: 'src/warehouse/data-package.ts',
    find: 'const file = snapshot?.tables.find((each) => each.name === name);',
    replace: 'const file = snapshot?.tables[0];',
    caughtBy: ['test/warehouse/descriptors.test.ts'],
  },
  'warehouse-contract-of-several': {
    rule: 'the contract of the schema alone is of tables with several snapshots: its keys begin with snapshot_id',
    file: 'src/warehouse/data-contract.ts',
    find: 'schemaObject(table, snapshot === undefined ? wholeKey(table) : table.key, tables),',
    replace: 'schemaObject(table, table.key, tables),',
    caughtBy: ['test/warehouse/descriptors.test.ts'],
  },
  'warehouse-contract-empty-part': {
    rule: 'the contract has no primary key of which a part may be empty',
    file: 'src/warehouse/data-contract.ts',
    find: 'hasPrimaryKey(table) ? key : []',
    replace: 'key',
    caughtBy: ['test/warehouse/descriptors.test.ts'],
  },
};
