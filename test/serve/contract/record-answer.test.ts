import { describe, expect, it } from 'vitest';
import { recordAnswers, recordComponent } from '../../../src/serve/contract/record-answer.ts';
import { computed, defineRecord, field, person, source } from '../../../src/tables/record.ts';

const record = defineRecord({
  name: 'things',
  component: 'Thing',
  description: 'A thing.',
  view: 'reporting.things',
  fields: {
    id: field('id', 'Its id.'),
    planned_cents: field('cents?', 'What is planned.', { shown: 'expected_cents' }),
    state: field('string', 'Its state.', { values: ['new', 'old'] }),
    decided_at: field('timestamp', 'When it was decided.', { or_null: true }),
    tags: field('json', 'Its tags.'),
    owner: person('Its owner.'),
    source: source('string?'),
    label: computed('string', 'Its label.'),
  },
});

// 1,000,000 microseconds after 1970 began.
const row = {
  id: 7n,
  planned_cents: 250n,
  state: 'new',
  decided_at: 1_000_000n,
  tags: ['a', 'b'],
  owner_id: 3n,
  owner_name: 'Ada',
  source_type: 'csv',
  source_ref: null,
  connection_id: 9n,
  secret: 'not declared',
} as const;

const answer = {
  id: 7,
  expected_cents: 250,
  state: 'new',
  decided_at: '1970-01-01T00:00:01.000000Z',
  tags: ['a', 'b'],
  owner: { id: 3, name: 'Ada' },
  source: { type: 'csv', ref: null, connection_id: 9 },
  label: 'New',
};

describe('a record', () => {
  it('is shown with its declared fields in their order, and with nothing besides', () => {
    const shown = recordAnswers(record)(row, { label: 'New' });
    expect(shown).toEqual(answer);
    expect(Object.keys(shown)).toEqual(Object.keys(answer));
  });

  it('refuses a whole number that JSON cannot hold exactly', () => {
    expect(() => recordAnswers(record)({ ...row, planned_cents: 2n ** 53n }, { label: 'New' })).toThrow(
      RangeError,
    );
  });

  it('does not compile without a computed field, or with a value that is not listed', () => {
    // @ts-expect-error: `label` is missing.
    expect(recordAnswers(record)(row, {}).label).toBeUndefined();
    // @ts-expect-error: no state is called lost.
    expect(recordAnswers(record)({ ...row, state: 'lost' }, { label: 'New' }).state).toBe('lost');
  });

  it('has a component that takes its answers, null only where the contract allows it, and no other field', () => {
    const component = recordComponent(record);
    expect(component.parse(answer)).toEqual(answer);
    const empty = { ...answer, expected_cents: null, decided_at: null, owner: null };
    expect(component.parse(empty)).toEqual(empty);
    for (const wrong of [{ id: null }, { state: 'lost' }, { tags: [1] }, { label: null }, { secret: 'x' }])
      expect(component.safeParse({ ...answer, ...wrong }).success).toBe(false);
  });
});
