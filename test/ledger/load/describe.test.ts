/** What is said of the columns of each loadable table. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalogue } from '../../../src/ledger/staging/catalogue.ts';
import type { LoadTable } from '../../../src/ledger/staging/load-table.ts';
import { describeColumns } from '../../../src/ledger/load/describe.ts';
import { createDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let tables: readonly LoadTable[];
beforeAll(async () => {
  database = await createDatabase();
  tables = await readCatalogue(await database.client('cf_owner'));
});
afterAll(() => database.drop());

const columnsOf = (name: string) =>
  new Map(describeColumns(tableNamed(name)).map((column) => [column.name, column]));
function tableNamed(name: string): LoadTable {
  const found = tables.find((table) => table.name === name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

describe('the description of a table', () => {
  it('gives every column of every loadable table a meaning, a need, allowed values and an example', () => {
    const lacking = tables.flatMap((table) =>
      describeColumns(table)
        .filter((column) => Object.values(column).some((text) => text.trim() === ''))
        .map(({ name }) => `${table.name}.${name}`),
    );
    expect(tables.length).toBeGreaterThan(40);
    expect(lacking).toEqual([]);
  });

  it('says what a spreadsheet of costs needs, and how it names rows without their numbers', () => {
    const costs = columnsOf('cost_entries');
    expect(costs.get('amount_cents')).toMatchObject({
      need: 'needed, or amount with decimals',
      allowed: 'a whole number of cents, up to 9007199254740991',
    });
    expect(costs.get('source_ref')?.need).toBe('needed, unless the file has id');
    expect(costs.get('account_id')?.need).toBe('needed, unless --account names the account');
    expect(costs.get('initiative_id')?.need).toBe(
      'needed, or one of initiative_ref, initiative, initiative_title',
    );
    expect(costs.get('initiative_title')?.need).toBe('instead of initiative_id');
    expect(costs.get('currency')).toMatchObject({ need: 'needed', example: 'EUR' });
    expect(costs.get('cost_category')).toEqual({
      name: 'cost_category',
      need: 'optional',
      allowed: 'one of capex, opex',
      example: 'capex',
      meaning: 'One-time cost (capex) or running cost (opex); follows from the type when left out',
    });
    expect(costs.get('notes')?.need).toBe('optional');
  });

  it('says under which condition a column is needed, or may be given', () => {
    expect(columnsOf('accounting_months').get('locked_at')?.need).toBe('needed when status is locked');
    expect(columnsOf('accounting_months').get('reopen_reason')?.need).toBe('needed when status is reopened');
    expect(columnsOf('budget_versions').get('decided_at')?.need).toBe(
      'needed when status is approved or rejected',
    );
    expect(columnsOf('initiatives').get('previous_stage')?.need).toBe('optional: only when stage is paused');
    expect(columnsOf('cost_entries').get('source_type')?.need).toBe('optional: csv if omitted');
  });

  it('leaves out what the ledger fills itself', () => {
    const costs = columnsOf('cost_entries');
    for (const name of [
      'usd_amount_cents',
      'updated_at',
      'booked_month',
      'load_ref',
      'load_source',
      'vendor_id',
    ]) {
      expect([name, costs.has(name)]).toEqual([name, false]);
    }
  });

  it('gives an example that a column of its kind takes', () => {
    const initiatives = columnsOf('initiatives');
    expect(initiatives.get('stage')?.example).toBe('identified');
    expect(initiatives.get('priority')?.example).toBe('3');
    expect(initiatives.get('went_live_at')?.example).toBe('2026-03-01T09:30:00Z');
    expect(initiatives.get('owner_email')?.example).toBe('ada@example.com');
    expect(columnsOf('value_entries').get('is_estimated')?.example).toBe('true');
    expect(columnsOf('accounts').get('contribution_margin')?.example).toBe('0.5');
  });
});
