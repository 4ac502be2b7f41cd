import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { attachSql } from '../../src/warehouse/load-tables.ts';
import { dataContract } from '../../src/warehouse/data-contract.ts';
import { stagingModel } from '../../src/warehouse/dbt.ts';
import { dataPackage } from '../../src/warehouse/data-package.ts';
import { yaml } from '../../src/warehouse/yaml.ts';

const SNAPSHOT = {
  snapshot_id: '20261120T020000Z',
  generated_at: '2026-11-20T02:00:00.000001Z',
  tables: ['initiatives', 'costs', 'reported_totals'].map((name, at) => ({
    name,
    size_bytes: 8 + at,
    sha256: `a${at}`,
  })),
};

interface Package {
  readonly version: string;
  readonly resources: readonly {
    readonly name: string;
    readonly path: string;
    readonly schema: {
      readonly fields: { readonly name: string }[];
      readonly primaryKey?: string[];
      readonly foreignKeys?: object[];
    };
  }[];
}

describe('the data package', () => {
  it('of the schema has every table and every column', () => {
    const { version, resources } = dataPackage() as Package;
    expect(version).toBe('v1');
    expect(resources.map(({ name, schema }) => [name, ...schema.fields.map((field) => field.name)])).toEqual(
      TABLES.map(({ name, columns }) => [name, ...columns.map((column) => column.name)]),
    );
    expect(resources[0]).not.toHaveProperty('parquet');
  });

  it('of a snapshot has its files, keys without empty cells, and references to tables that it has', () => {
    const { version, resources } = dataPackage(SNAPSHOT) as Package;
    expect(version).toBe('20261120T020000Z');
    const [initiatives, costs, totals] = resources;
    expect(initiatives?.path).toBe('initiatives.csv');
    expect(costs).toMatchObject({ parquet: { path: 'costs.parquet', bytes: 9, hash: 'sha256:a1' } });
    expect(costs?.schema.primaryKey).toEqual(['cost_entry_id']);
    // The snapshot table is not among the tables, so no reference names it.
    expect(costs?.schema.foreignKeys).toEqual([
      { fields: ['initiative_id'], reference: { resource: 'initiatives', fields: ['initiative_id'] } },
    ]);
    expect(costs?.schema.fields.find(({ name }) => name === 'cost_category')).toMatchObject({
      type: 'string',
      constraints: { required: true, enum: ['capex', 'opex'] },
    });
    expect(totals?.schema).not.toHaveProperty('primaryKey'); // the portfolio has no initiative
  });
});

describe('the data contract', () => {
  it('has service levels, keys, listed values and references; of a snapshot also its files', () => {
    const contract = dataContract(SNAPSHOT);
    for (const text of [
      'apiVersion: v3.1.0\nkind: "DataContract"\n',
      'version: "20261120T020000Z"\n',
      '    path: "./{model}.parquet"\n    format: parquet\n',
      '    value: 30\n    unit: h\n    element: snapshot.generated_at\n',
      '        required: true\n        primaryKey: true\n        primaryKeyPosition: 1\n',
      '            to: initiatives.initiative_id\n',
      '                - capex\n                - opex\n            mustBe: 0\n',
    ]) {
      expect(contract).toContain(text);
    }
    expect(contract).not.toContain('to: snapshot.snapshot_id');
    expect(dataContract()).not.toContain('servers:');
    expect(dataContract()).toContain('        primaryKey: true\n        primaryKeyPosition: 2\n');
  });
});

/** The keys of the tables in a contract: the columns of the primary key, and those of the rule about equal rows. */
function keysIn(contract: string): Readonly<Record<string, readonly (readonly string[])[]>> {
  const [, ...tables] = contract.split(/^ {2}- name: /m);
  return Object.fromEntries(
    tables.map((text) => {
      const columns = text.split(/^ {6}- name: /m).filter((column) => column.includes('primaryKey: true'));
      const rule = /"duplicateValues"\n +arguments:\n +properties:\n((?: +- \w+\n)+)/.exec(text)?.[1] ?? '';
      const names = [...rule.matchAll(/- (\w+)/g)].map(([, name = '']) => name);
      return [text.split('\n')[0] ?? '', [columns.map((column) => column.split('\n')[0] ?? ''), names]];
    }),
  );
}

it('the data contract of the schema is of tables with several snapshots, that of a snapshot of its files', () => {
  const costs = ['snapshot_id', 'cost_entry_id'];
  const totals = ['scope', 'initiative_id', 'window_key'];
  const all = keysIn(dataContract());
  expect(Object.keys(all)).toEqual(TABLES.map(({ name }) => name));
  // The portfolio has no initiative: a key with an empty part is no primary key.
  expect([all['snapshot'], all['costs'], all['reported_totals']]).toEqual([
    [['snapshot_id'], ['snapshot_id']],
    [costs, costs],
    [[], ['snapshot_id', ...totals]],
  ]);
  const one = keysIn(dataContract(SNAPSHOT));
  expect([one['costs'], one['reported_totals']]).toEqual([
    [['cost_entry_id'], ['cost_entry_id']],
    [[], totals],
  ]);
});

it('the data contract has a query for each rule of the totals, which counts the rows that break it', async () => {
  const queries = [...dataContract().matchAll(/^ +query: "(.*)"$/gm)].map(([, query = '']) => query);
  expect(queries).toHaveLength(4);
  // Without value entries, the snapshot has no rule about them.
  expect(dataContract(SNAPSHOT).match(/^ +query: /gm)).toHaveLength(3);

  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const broken = async (cost_cents: number, cash_cents: number, net_cents: number, opex_cents: number) => {
    await connection.run(`
      create or replace table costs as from (values ('a', 200), ('a', 100), ('a', null), ('b', 7))
        t(snapshot_id, usd_amount_cents);
      create or replace table reported_value as
        from (values ('a', 'cost_savings', 1000), ('a', 'capacity_realized', 50), ('a', 'capacity', 9), ('b', 'cost_savings', 5))
        t(snapshot_id, entry_type, usd_amount_cents);
      create or replace table reported_totals as
        from (values ('a', 'portfolio', 'all', ${cost_cents}, ${cash_cents}, ${net_cents}, 120, ${opex_cents}),
          ('a', 'initiative', 'all', 1, 3, 2, null, null))
        t(snapshot_id, scope, window_key, cost_cents, cash_value_cents, net_value_cents, capex_cents, opex_cents)`);
    const rows = queries.map(async (query) => (await connection.runAndReadAll(query)).getRows()[0]?.[0]);
    return (await Promise.all(rows)).map(Number);
  };
  expect(await broken(300, 1050, 750, 180)).toEqual([0, 0, 0, 0]);
  expect(await broken(301, 1050, 749, 181)).toEqual([1, 0, 0, 0]);
  expect(await broken(300, 1059, 759, 180)).toEqual([0, 1, 0, 0]);
  expect(await broken(300, 1050, 751, 180)).toEqual([0, 0, 1, 0]);
  expect(await broken(300, 1050, 750, 179)).toEqual([0, 0, 0, 1]);
});

it('the script attaches each table as a view over its link', () => {
  const tables = [{ name: 'costs', url: 'https://a.example/links/x/costs.parquet' }];
  expect(attachSql('20261120T020000Z', '2026-11-20T03:00:00.000000Z', tables)).toBe(
    `-- The tables of snapshot 20261120T020000Z as views for DuckDB. The links work without a token until
-- 2026-11-20T03:00:00.000000Z: keep this file as secret as the token. After that time, get a new file.
install httpfs;
load httpfs;
create schema if not exists crossfoot;
create or replace view crossfoot.costs as from read_parquet('https://a.example/links/x/costs.parquet');
`,
  );
  expect(attachSql('', '', [{ name: 'costs', url: "https://a.example/it's" }])).toContain(
    "read_parquet('https://a.example/it''s')",
  );
});

it('the staging model of a table selects its newest snapshot for dbt, every column by name', () => {
  const column = {
    kind: 'id',
    nullable: false,
    description: '',
    encoding: 'plain',
    from: null,
  } as const;
  const columns = [
    { ...column, name: 'snapshot_id' },
    { ...column, name: 'part_id' },
  ];
  const table = {
    name: 'parts',
    grain: 'one row per part',
    description: '',
    key: ['part_id'],
    columns,
    from: null,
  };
  expect(stagingModel(table))
    .toBe(`-- One row per part, in the newest snapshot. Made from the declaration of the table.
{{ config(materialized='view') }}

select
  snapshot_id,
  part_id
from {{ source('crossfoot', 'parts') }}
where snapshot_id = (select max(snapshot_id) from {{ source('crossfoot', 'snapshot') }})
`);
});

it('YAML quotes texts that would be read as another kind of value', () => {
  expect(
    yaml({ plain: 'a_word.b', said: ['yes', 'null', 'On', '1', '', 'a: b'], is: true, none: null }),
  ).toBe(
    `plain: a_word.b
said:
  - "yes"
  - "null"
  - "On"
  - "1"
  - ""
  - "a: b"
is: true
none: null
`,
  );
});
