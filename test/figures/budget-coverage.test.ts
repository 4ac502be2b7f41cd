import { describe, expect, it } from 'vitest';
import {
  type BudgetVersion,
  coverVersions,
  currentIn,
  lastCovered,
  opexBudget,
  opexOver,
} from '../../src/figures/budget-coverage.ts';
import { monthAt, monthNumber } from '../../src/figures/calendar.ts';
import { decided, version } from './budget-versions.ts';

const month = (name: string): number => monthNumber(`${name}-01`);
/** `<id> <first month>..<last month>` of each version. */
const covered = (...versions: readonly BudgetVersion[]): readonly string[] =>
  coverVersions(versions).map(
    ({ version: { id }, from, through }) =>
      `${id} ${monthAt(from).slice(0, 7)}..${through === Infinity ? '' : monthAt(through).slice(0, 7)}`,
  );

describe('the months of a version', () => {
  it('are whole: from that of its day, through that of its end', () => {
    expect(covered(version({ effective_from: '2026-01-31', ends_on: '2026-03-01' }))).toEqual([
      '1 2026-01..2026-03',
    ]);
    expect(covered(version({ effective_from: '2026-02-15' }))).toEqual(['1 2026-02..']);
  });

  it('end before a version with a later effective month begins', () => {
    const first = version();
    const second = version({ id: 2n, effective_from: '2026-04-20' });
    expect(covered(first, second)).toEqual(['1 2026-01..2026-03', '2 2026-04..']);
    expect(covered(second, first)).toEqual(['1 2026-01..2026-03', '2 2026-04..']);
  });

  it('belong to no version once the version has ended: an earlier version never returns', () => {
    const forever = version();
    const short = version({ id: 2n, effective_from: '2026-04-01', ends_on: '2026-05-31' });
    const later = version({ id: 3n, effective_from: '2026-08-01' });
    expect(covered(forever, short, later)).toEqual([
      '1 2026-01..2026-03',
      '2 2026-04..2026-05',
      '3 2026-08..',
    ]);
  });

  it('belong to the latest decision of an effective month, for any day, id or end', () => {
    const early = version({ id: 9n, effective_from: '2026-01-31', decided_at: decided('2025-12-01') });
    const late = version({ id: 2n, decided_at: decided('2025-12-01') + 1n, ends_on: '2026-02-28' });
    expect(covered(early, late)).toEqual(['2 2026-01..2026-02']);
    expect(covered(late, early)).toEqual(['2 2026-01..2026-02']);
  });

  it('go to the highest id where the decisions fall together', () => {
    const versions = [9n, 10n, 2n].map((id) => version({ id }));
    expect(covered(...versions)).toEqual(['10 2026-01..']);
  });

  it('are empty for a version that is not approved', () => {
    for (const status of ['pending', 'rejected', 'withdrawn'] as const) {
      expect(covered(version({ id: 2n, status, effective_from: '2026-03-01' }), version())).toEqual([
        '1 2026-01..',
      ]);
    }
  });
});

describe('the version of a month', () => {
  const coverages = coverVersions([
    version({ ends_on: '2026-02-28' }),
    version({ id: 2n, effective_from: '2026-06-01' }),
  ]);
  it.each([
    ['2025-12', null],
    ['2026-01', 1n],
    ['2026-05', 1n], // ended in February, and still the last one
    ['2026-06', 2n],
  ])('%s is %s', (name, id) => {
    expect(currentIn(coverages, month(name))?.version.id ?? null).toBe(id);
  });
});

describe('the OpEx budget of months', () => {
  const third = version({ opex_cents: 10_001n, opex_cadence: 'quarterly' });

  it('is the rate by its cadence, rounded once over all of its months', () => {
    // 10001 / 3 = 3333.67; two months 6667.33; three months are the quarter
    expect([1, 2, 3].map((months) => opexOver(third, months))).toEqual([3334n, 6667n, 10_001n]);
    // 6 / 12 = 0.5, rounded away from zero
    expect(opexOver(version({ opex_cents: 6n, opex_cadence: 'annually' }), 1)).toBe(1n);
    expect(opexOver(version({ opex_cents: 70n }), 4)).toBe(280n);
  });

  it('is rounded for each version by itself', () => {
    const coverages = coverVersions([third, { ...third, id: 2n, effective_from: '2026-03-01' }]);
    // January and February 6667.33, March and April 6667.33; together they would be 13334.67
    expect(opexBudget(coverages, month('2026-01'), month('2026-04'))).toBe(13_334n);
  });

  it('counts covered months only, between the two given', () => {
    const coverages = coverVersions([
      version({ ends_on: '2026-03-31' }),
      version({ id: 2n, effective_from: '2026-06-01', opex_cents: 1n }),
    ]);
    expect(opexBudget(coverages, month('2025-01'), month('2026-12'))).toBe(30_007n);
    expect(opexBudget(coverages, month('2026-03'), month('2026-06'))).toBe(10_001n);
    expect(opexBudget(coverages, month('2026-04'), month('2026-05'))).toBe(0n);
    expect(opexBudget(coverages, month('2025-01'), month('2025-12'))).toBe(0n);
  });
});

describe('the last covered months', () => {
  it('skip uncovered months, latest first', () => {
    const coverages = coverVersions([
      version({ ends_on: '2026-02-28' }),
      version({ id: 2n, effective_from: '2026-06-01' }),
    ]);
    expect(lastCovered(coverages, month('2026-07'), 3)).toEqual(['2026-07-01', '2026-06-01', '2026-02-01']);
    expect(lastCovered(coverages, month('2026-05'), 3)).toEqual(['2026-02-01', '2026-01-01']);
    expect(lastCovered(coverages, month('2025-12'), 3)).toEqual([]);
  });
});
