import { expect, it } from 'vitest';
import { TABLES } from '../../src/tables/all.ts';
import { column, defineTable } from '../../src/tables/table.ts';
import { dbtSources } from '../../src/warehouse/dbt.ts';

const small = defineTable({
  name: 'small',
  grain: 'one row per part',
  description: 'It says "no".',
  key: ['id', 'part'],
  from: null,
  columns: [
    column('id', 'id', 'The row.', { references: 'costs' }),
    column('part', 'string?', 'A part.', { values: ['left', 'yes'] }),
    column('amount_cents', 'cents', 'An amount.'),
  ],
});

it('the dbt sources test the key within a snapshot, non-empty columns, listed values and references', () => {
  expect(dbtSources([small]))
    .toBe(`# Made from the declarations of the tables; it needs dbt 1.10.5 or newer and the package
# dbt-labs/dbt_utils. Set the variable crossfoot_schema to where the tables were loaded.
version: 2
sources:
  - name: crossfoot
    description: "Audited reporting tables, v1: one consistent moment of the ledger a snapshot."
    schema: "{{ var('crossfoot_schema', 'crossfoot') }}"
    tables:
      - name: small
        description: "one row per part: It says \\"no\\"."
        data_tests:
          - dbt_utils.unique_combination_of_columns:
              arguments:
                combination_of_columns:
                  - snapshot_id
                  - id
                  - part
        columns:
          - name: snapshot_id
            description: "The snapshot this row belongs to; joins every table to the \`snapshot\` row."
            data_tests:
              - not_null
              - relationships:
                  arguments:
                    to: "source('crossfoot', 'snapshot')"
                    field: snapshot_id
          - name: id
            description: "The row."
            data_tests:
              - not_null
              - relationships:
                  arguments:
                    to: "source('crossfoot', 'costs')"
                    field: cost_entry_id
          - name: part
            description: "A part."
            data_tests:
              - accepted_values:
                  arguments:
                    values:
                      - left
                      - "yes"
          - name: amount_cents
            description: "An amount."
`);
});

it('the dbt sources name every table and column, and watch the freshness of the one with the moment', () => {
  const text = dbtSources();
  const names = [...text.matchAll(/^ +- name: (\w+)$/gm)].map(([, name]) => name);
  expect(names).toEqual([
    'crossfoot',
    ...TABLES.flatMap(({ name, columns }) => [name, ...columns.map((each) => each.name)]),
  ]);
  expect(text.match(/loaded_at_field: .*/g)).toEqual(['loaded_at_field: generated_at']);
  expect(text).toContain(`      - name: snapshot
        description: "one row: What this snapshot describes: the account, the moment, and how its fiscal year runs."
        config:
          loaded_at_field: generated_at
          freshness:
            warn_after:
              count: 30
              period: hour
            error_after:
              count: 54
              period: hour
        columns:
          - name: snapshot_id
            description: "The snapshot this row belongs to; joins every table to the \`snapshot\` row."
            data_tests:
              - unique
              - not_null
`);
});
