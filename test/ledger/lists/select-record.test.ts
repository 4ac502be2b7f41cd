import { describe, expect, it } from 'vitest';
import { selectRecord } from '../../../src/ledger/lists/select-record.ts';
import { defineRecord, field, person, source } from '../../../src/tables/record.ts';
import { INTEGRATION } from '../../../src/tables/records/integration.ts';

const declared = { name: 'x', component: 'X', description: 'An x.', view: 'reporting.observations' } as const;

describe('the select of a record', () => {
  it('has a column for each field, two for a person, three for a source, then the columns of the view beside', () => {
    const record = defineRecord({
      ...declared,
      fields: {
        id: field('id', 'Its id.'),
        value: field('string?', 'Its value.', { from: 'value::text' }),
        recorded_by: person('Who recorded it.'),
        source: source('string', { from: 'lower(source_type)' }),
      },
    });
    expect(selectRecord(record, ['notes']).compile().sql).toBe(
      'select id as "id", value::text as "value", recorded_by_id as "recorded_by_id", recorded_by_name as "recorded_by_name", ' +
        'lower(source_type) as "source_type", source_ref as "source_ref", connection_id as "connection_id", "notes" as "notes" ' +
        'from "reporting"."observations"',
    );
  });

  it('reads JSON as the database gives it, which companion tables store as text', () => {
    expect(selectRecord(INTEGRATION).compile().sql).toContain('metric_categories as "metric_categories"');
  });

  it('does not compile for a column that the view lacks, or that has values of another type', () => {
    const fields = { id: field('id', 'Its id.') };
    const lacking = defineRecord({
      ...declared,
      fields: { ...fields, colour: field('string?', 'Its colour.') },
    });
    // @ts-expect-error: the view has no column `colour`.
    expect(selectRecord(lacking).compile().sql).toContain('colour');
    const other = defineRecord({ ...declared, fields: { ...fields, role: field('integer?', 'Its role.') } });
    // @ts-expect-error: a role is a text.
    expect(selectRecord(other).compile().sql).toContain('role');
    const narrow = { values: ['reading'] } as const;
    const fewer = defineRecord({
      ...declared,
      fields: { ...fields, role: field('string?', 'Its role.', narrow) },
    });
    // @ts-expect-error: the view has baselines, too.
    expect(selectRecord(fewer).compile().sql).toContain('role');
  });
});
