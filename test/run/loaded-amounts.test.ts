import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { load } from '../../src/ledger/load/load.ts';
import { readSampleRates } from '../../src/run/demo/demo-facts.ts';
import { convertLoaded } from '../../src/run/loaded-amounts.ts';
import { company, loadFiles } from '../ledger/load/folder.ts';
import { type TestDatabase, createDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-loaded-'));
  await loadFiles(database.url('cf_owner'), company(1));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.drop();
});

it('a load says that its dollars are at the sample of the demo, until published rates are stored', async () => {
  const owner = await database.client('cf_owner');
  const sample = (await readSampleRates()).findLast(({ currency }) => currency === 'USD');
  const store = `insert into ledger.euro_reference_rates (day, currency, units_per_euro) values ($1, 'USD', $2)`;
  await owner.query(store, [sample?.day, sample?.units_per_euro]);
  const toldOf = async (id: number, embedded: boolean): Promise<boolean> => {
    const file = join(folder, 'cost_entries.csv');
    const rows = `account_id,id,initiative_id,amount_cents,currency,period_start\n1,${id},1,100,EUR,${sample?.day}\n`;
    await writeFile(file, rows);
    await load({ mode: 'insert', url: database.url('cf_owner'), paths: [file] });
    const { lines } = await convertLoaded(
      { ownerUrl: database.url('cf_owner'), embedded },
      [1n],
      new AbortController().signal,
    );
    await rm(file);
    expect(lines[0]).toMatch(/in EUR converted$/);
    return lines.some((line) => /the demo's sample.* rates import /.test(line));
  };
  expect(await toldOf(31, true)).toBe(true);
  // Another database never had the sample of the demo.
  expect(await toldOf(32, false)).toBe(false);
  await owner.query(store, ['2026-08-31', '1.2']);
  expect(await toldOf(33, true)).toBe(false);
});
