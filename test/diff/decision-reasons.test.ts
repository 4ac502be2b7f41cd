/** Which reason value has that is reported no longer: what was decided of it since the earlier snapshot. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { row } from '../snapshot/audit/audited-company.ts';
import { at, cost, type MutableRow, value } from '../snapshot/audit/audited-rows.ts';
import { type EntryReasons, openEntryReasons, put } from './entry-reasons.ts';

let entries: EntryReasons;
beforeAll(async () => {
  entries = await openEntryReasons();
});
afterAll(() => entries[Symbol.asyncDispose]());

const reasons: EntryReasons['of'] = (begin, goOn) => entries.of(begin, goOn);

/** A decision about value entry 91. */
const decided = (id: bigint, decided_at: bigint, given: MutableRow): MutableRow => ({
  approval_decision_id: id,
  subject_kind: 'value_entry',
  subject_id: 91n,
  initiative_id: 3n,
  subject_title: 'Entry',
  item_label: null,
  decision: 'sent_back',
  resulting_state: 'draft',
  step: null,
  total_steps: null,
  source: 'direct',
  amount_cents: null,
  currency: null,
  reason: null,
  decided_by_id: null,
  decided_by_name: null,
  decided_at,
  ...given,
});

const entryAt = (index: number): bigint => 301n + BigInt(index);

/** The decision with the ids of a case. */
const withIdsOf = (decision: MutableRow, index: number): MutableRow => ({
  ...decision,
  approval_decision_id: BigInt(String(decision['approval_decision_id'])) + 10n * BigInt(index),
  subject_id: entryAt(index),
});

describe('value that is reported no longer', () => {
  const ARCHIVED = { decision: 'rejected', resulting_state: 'archived' };
  const FIRST = at('2026-08-15', 9_000);
  const SECOND = FIRST + 1n;

  const cases: readonly (readonly [what: string, reason: string, decisions: readonly MutableRow[]])[] = [
    ['without a decision', 'entry_deleted', []],
    [
      'archived after it was sent back',
      'archived',
      [decided(901n, FIRST, {}), decided(902n, SECOND, ARCHIVED)],
    ],
    [
      'archived after it was sent back, whatever the ids',
      'archived',
      [decided(902n, FIRST, {}), decided(901n, SECOND, ARCHIVED)],
    ],
    [
      'sent back after it was archived',
      'sent_back',
      [decided(901n, FIRST, ARCHIVED), decided(902n, SECOND, {})],
    ],
    [
      'decided twice in one microsecond, by the higher id',
      'archived',
      [decided(902n, FIRST, ARCHIVED), decided(901n, FIRST, {})],
    ],
    [
      'disputed by the decision',
      'disputed',
      [decided(901n, FIRST, { decision: 'disputed', resulting_state: null })],
    ],
    [
      'disputed by the state that it led to',
      'disputed',
      [decided(901n, FIRST, { resulting_state: 'disputed' })],
    ],
    [
      'disputed by a decision that archived it',
      'disputed',
      [decided(901n, FIRST, { decision: 'disputed', resulting_state: 'archived' })],
    ],
    ['rejected', 'sent_back', [decided(901n, FIRST, { decision: 'rejected', resulting_state: null })]],
    [
      'archived, whose step was approved later',
      'archived',
      [
        decided(901n, FIRST, ARCHIVED),
        decided(902n, SECOND, { decision: 'step_approved', resulting_state: null }),
      ],
    ],
    [
      'approved by its newest decision',
      'entry_deleted',
      [
        decided(901n, FIRST, ARCHIVED),
        decided(902n, SECOND, { decision: 'approved', resulting_state: 'approved' }),
      ],
    ],
    [
      'beside a decision about a budget of the same id',
      'entry_deleted',
      [decided(901n, FIRST, { ...ARCHIVED, subject_kind: 'budget' })],
    ],
  ];

  // All cases stand in one comparison, each with an entry and with ids of its own.
  const indexed = cases.map(([what, reason], index) => [what, reason, index] as const);
  let reasonOf: Record<string, unknown>;
  beforeAll(async () => {
    reasonOf = await reasons(
      (rows) => put(rows, 'reported_value', ...cases.map((_, index) => value(entryAt(index), 3n, null, {}))),
      (rows) => {
        rows['reported_value']?.splice(-cases.length);
        for (const [index, [, , decisions]] of cases.entries())
          put(rows, 'approval_decisions', ...decisions.map((each) => withIdsOf(each, index)));
      },
    );
  });

  it.each(indexed)('%s has %s', (_, reason, index) => {
    expect(reasonOf[String(entryAt(index))]).toBe(reason);
  });

  it('no other entry has a reason', () => {
    expect(Object.keys(reasonOf).toSorted()).toEqual(indexed.map(([, , index]) => String(entryAt(index))));
  });

  it('has no reason from a decision that the earlier snapshot had already', async () => {
    const found = await reasons(
      (rows) => {
        put(rows, 'reported_value', value(91n, 3n, null, {}));
        put(rows, 'approval_decisions', decided(901n, FIRST, ARCHIVED));
      },
      (rows) => void rows['reported_value']?.pop(),
    );
    expect(found).toEqual({ 91: 'entry_deleted' });
  });

  it('has no reason from a decision whose words alone changed since', async () => {
    const found = await reasons(
      (rows) => {
        put(rows, 'reported_value', value(91n, 3n, null, {}));
        put(rows, 'approval_decisions', decided(901n, FIRST, ARCHIVED));
      },
      (rows) => {
        rows['reported_value']?.pop();
        Object.assign(row(rows, 'approval_decisions', 901n), { subject_title: 'Another' });
      },
    );
    expect(found).toEqual({ 91: 'entry_deleted' });
  });
});

it('a decision is no reason of value that is reported still, nor of a cost of the same id', async () => {
  const disputed = decided(901n, at('2026-08-15', 9_000), { decision: 'disputed', resulting_state: null });
  const found = await reasons(
    (rows) => put(rows, 'reported_value', value(91n, 3n, null, {})),
    (rows) => {
      Object.assign(row(rows, 'reported_value', 91n), { provenance: 'Synced from Bridge' });
      put(rows, 'approval_decisions', disputed);
    },
  );
  expect(found).toEqual({ 91: 'described_anew' });
  const ofCost = await reasons(
    (rows) => put(rows, 'costs', cost(91n, 3n, null, {})),
    (rows) => {
      rows['costs']?.pop();
      put(rows, 'approval_decisions', disputed);
    },
  );
  expect(ofCost).toEqual({ 91: 'entry_deleted' });
});
