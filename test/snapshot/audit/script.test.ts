import { readdirSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditScript, auditScripts, scriptsOf } from '../../../src/snapshot/audit/script.ts';
import { inFolder, inOrder } from '../../../src/sql-scripts.ts';
import { TABLES } from '../../../src/tables/all.ts';
import type { Column } from '../../../src/tables/table.ts';
import { describeTables } from '../../../src/tables/describe.ts';
import { readChecks } from './audited-files.ts';

describe('the published script', () => {
  it('gives back every check of the published script, letter for letter and in its order', async () => {
    const checks = await readChecks();
    expect(scriptsOf(auditScript(checks))).toEqual(inOrder(checks));
  });

  it('returns any SQL that was put in, with or without line breaks at its ends', () => {
    // Lines that look like a mark cannot be told from one; no check has any, which the test above would show.
    const line = fc.constantFrom('', '-- 10-check', 'select 1;', ' -- 10-check-a', '-- 10-check-A');
    const sql = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
    const file = fc.record({ name: fc.stringMatching(/^\d\d-(?:view|check|list)-[a-z]$/), sql });
    const files = fc.uniqueArray(file, { selector: ({ name }) => name });
    fc.assert(
      fc.property(files, (each) => {
        expect(scriptsOf(auditScript(each))).toEqual(inOrder(each));
      }),
    );
  });

  it('finds no check in a text that is not an audit script', () => {
    expect(scriptsOf('select 1;\n-- notes\n')).toEqual([]);
  });

  it('has a different number for every file', () => {
    const names = readdirSync(new URL('../../../schema/audit', import.meta.url)).filter((name) =>
      name.endsWith('.sql'),
    );
    const numbers = names.map((name) => name.slice(0, 2));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

it('the script names the files of a snapshot from any folder', () => {
  expect(inFolder("/it's", "from read_parquet('costs.parquet'), read_json('schema.json')")).toBe(
    "from read_parquet('/it''s/costs.parquet'), read_json('/it''s/schema.json')",
  );
});

function declared(has: (column: Column) => boolean): readonly string[] {
  return TABLES.flatMap(({ name, columns }) => columns.filter(has).map((column) => `${name}.${column.name}`));
}

describe('a template of the audit', () => {
  const described = describeTables();

  it.each(['01-view-tables', '12-check-keys', '51-check-snapshot-ids'])(
    '%s expands to every declared table',
    async (name) => {
      const script = (await readChecks()).find((each) => each.name === name);
      for (const table of TABLES) expect(script?.sql).toContain(table.name);
    },
  );

  it('checks every column with listed values, and every column declared as never empty', async () => {
    const checks = await readChecks();
    const sqlOf = (name: string): string => checks.find((each) => each.name === name)?.sql ?? '';
    const never_empty = sqlOf('13-check-never-empty').matchAll(
      /^select '(\w+)' as subject, .* '(\w+)' as figure,/gm,
    );
    const listed = sqlOf('14-check-enumerations').matchAll(
      /select '(\w+)' as table_name, unnest\(\[(.+?)\]\)/g,
    );
    expect([...never_empty].map(([, table, column]) => `${table}.${column}`)).toEqual(
      declared((column) => column.never_empty === true),
    );
    expect(
      [...listed].flatMap(([, table, columns = '']) =>
        columns.split(', ').map((column) => `${table}.${column.slice(1, -1)}`),
      ),
    ).toEqual(declared(({ values }) => values !== undefined));
    expect(declared(({ values }) => values !== undefined).length).toBeGreaterThan(25);
  });

  it('names the tables that it reads: those with such a column', () => {
    const sql =
      "-- Listed.\nwith cells as (\n:each\n  select ':table', [:listed_names] from :table\n:end\n)\nfrom cells;\n";
    const [script] = auditScripts([{ name: '14-each-check-x', sql }], {
      ...described,
      tables: described.tables.filter(({ name }) => ['snapshot', 'costs', 'budgets'].includes(name)),
    });
    expect(script).toEqual({
      name: '14-check-x',
      sql: `-- Listed.
set variable reads = ['costs', 'budgets'];
with cells as (
  select 'costs', ['cost_category'] from costs
union all
  select 'budgets', ['status', 'source', 'opex_cadence'] from budgets
)
from cells;
`,
    });
  });

  it('repeats every part between its marks, and leaves the text around the parts alone', () => {
    const part = ":each\n  select ':name' from :table\n:end\n";
    const sql = `-- Twice.\nwith first as (\n${part});\nwith second as (\n${part});\n`;
    const [script] = auditScripts([{ name: '14-each-check-x', sql }], {
      ...described,
      tables: described.tables
        .filter(({ name }) => ['snapshot', 'costs'].includes(name))
        .map((table) => ({ ...table, name: `set/${table.name}` })),
    });
    const both = "  select 'snapshot' from set/snapshot\nunion all\n  select 'costs' from set/costs\n";
    expect(script?.sql).toBe(
      `-- Twice.\nset variable reads = ['set/snapshot', 'set/costs'];\nwith first as (\n${both});\nwith second as (\n${both});\n`,
    );
  });

  it('refuses a placeholder that it does not know', () => {
    const odd = { name: '14-each-check-x', sql: 'select :tabel' };
    expect(() => auditScripts([odd], described)).toThrow('14-check-x knows no placeholder :tabel');
  });
});
