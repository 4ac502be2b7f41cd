import { expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { describeTables } from '../../src/tables/describe.ts';

it('the description has every table and column under version v1, in published order', () => {
  const described = describeTables();
  expect(described.version).toBe('v1');
  expect(described.tables.map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual(
    TABLES.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
  );
});

it('the description of a table has its grain, key and sentence', () => {
  const [snapshot] = describeTables().tables;
  expect(snapshot).toMatchObject({
    name: 'snapshot',
    grain: 'one row',
    key: ['snapshot_id'],
    description: 'What this snapshot describes: the account, the moment, and how its fiscal year runs.',
  });
});

it('the description of a column has its type, nullability, values and reference, and nothing of its storage', () => {
  const totals = describeTables().tables.find(({ name }) => name === 'reported_totals');
  expect(totals?.columns.find(({ name }) => name === 'scope')).toEqual({
    name: 'scope',
    type: 'string',
    nullable: false,
    description: 'Whether the row is for the whole portfolio or for one initiative.',
    values: ['portfolio', 'initiative'],
  });
  expect(totals?.columns.find(({ name }) => name === 'initiative_id')).toEqual({
    name: 'initiative_id',
    type: 'id',
    nullable: true,
    description: 'The initiative of the row; empty on portfolio rows.',
    references: 'initiatives',
  });
});

it('the description is equal each time, as plain JSON', () => {
  const described = describeTables();
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  expect(describeTables()).toEqual(described);
});
