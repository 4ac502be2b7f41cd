import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditScript, filesOfScript, inOrder, sqlIn } from '../../../src/snapshot/audit/script.ts';
import { readChecks } from './audited-files.ts';

it('gives back every check of the published script, letter for letter and in its order', async () => {
  const checks = await readChecks();
  expect(filesOfScript(auditScript(checks))).toEqual(inOrder(checks));
});

it('gives back whatever SQL was put in, with or without line breaks at its ends', () => {
  // Lines that look like a mark cannot be told from one; no check has any, which the test above would show.
  const line = fc.constantFrom('', '-- 10-check', 'select 1;', ' -- 10-check-a', '-- 10-check-A');
  const sql = fc.array(line, { maxLength: 5 }).map((lines) => lines.join('\n'));
  const file = fc.record({ name: fc.stringMatching(/^\d\d-(?:view|check|list)-[a-z]$/), sql });
  const files = fc.uniqueArray(file, { selector: ({ name }) => name });
  fc.assert(
    fc.property(files, (each) => {
      expect(filesOfScript(auditScript(each))).toEqual(inOrder(each));
    }),
  );
});

it('finds no check in a text that is no such script', () => {
  expect(filesOfScript('select 1;\n-- notes\n')).toEqual([]);
});

it('reads a kept file once, leaves every other a view of it, and names both from anywhere', () => {
  const sql =
    "create view costs as from read_parquet('costs.parquet');\ncreate view budgets as from read_parquet('budgets.parquet');";
  expect(sqlIn("/it's", { name: '00-view-files', sql }, new Set(['costs']))).toBe(
    "create table costs as from read_parquet('/it''s/costs.parquet');\ncreate view budgets as from read_parquet('/it''s/budgets.parquet');",
  );
});
