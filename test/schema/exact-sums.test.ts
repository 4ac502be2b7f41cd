/** The sums of exact decimals in the audit of companion tables, by the macros that its checks share. */
import { readFile } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';

const MACROS = new URL('../../schema/companions/audit/00-view-companions.sql', import.meta.url);

/** Whether the audit takes `total` for the sum of these decimals. */
async function isSum(decimals: readonly string[], total: string | null): Promise<boolean> {
  const sql = await readFile(MACROS, 'utf8');
  const macros = [...sql.matchAll(/^create macro (?:decimals_of|parts_added|is_sum)\([^;]*;/gm)].join('\n');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run(macros);
    const rows = decimals.map((each) => `('${each}')`).join(', ');
    const found = await connection.runAndReadAll(
      `select is_sum(parts_added(written), ${total === null ? 'null' : `'${total}'`}) from (values ${rows}) as rows (written)`,
    );
    return found.getRows()[0]?.[0] === true;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it.each([
  [['0.5', '0.25'], '0.75'],
  // One carries over the point.
  [['0.75', '0.5'], '1.25'],
  [['-0.5', '0.25'], '-0.25'],
  [['-1.75', '-0.5'], '-2.25'],
  [['3', '-0.000000000000000000000000000001'], '2.999999999999999999999999999999'],
])('the audit takes the decimals %j for parts of %s', async (decimals, total) => {
  expect(await isSum(decimals, total)).toBe(true);
});

it.each([
  [['0.5', '0.25'], '0.750000000000000000000000000001'],
  [['-0.5', '0.25'], '0.75'],
  [['-0.5', '0.25'], '0.25'],
  [['0.5'], null],
])('the audit does not take the decimals %j for parts of %s', async (decimals, total) => {
  expect(await isSum(decimals, total)).toBe(false);
});
