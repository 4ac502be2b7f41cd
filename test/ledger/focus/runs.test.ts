import { describe, expect, it } from 'vitest';
import { shownUnits } from '../../../src/ledger/focus/decimals.ts';
import { type Charge, charges } from './bills.ts';
import { FORMS, type WasRead, readForm } from './forms.ts';

const charged = (from: string, to: string, BilledCost: string, more: Charge = {}): readonly Charge[] =>
  charges({ BilledCost, ChargePeriodStart: from, ChargePeriodEnd: to, ...more });
const total = ({ sums }: WasRead): readonly string[] => [...sums.totals.values()].map(shownUnits);
const twice = (one: string, other: string): string =>
  `one run of an export: ${one} and ${other} both have charges for the same times in the bill of Acme AI, billing account acc-1, 2026-10; load the newer run alone, or add --parts if both are parts of one bill`;

const day = (number: number): readonly [string, string] => [
  `2026-10-${String(number).padStart(2, '0')}`,
  `2026-10-${String(number + 1).padStart(2, '0')}`,
];

describe.each(FORMS)('files of one load as %s', (form) => {
  it('are two runs of one export if they lie apart and have charges for the same times', async () => {
    const files = {
      'run-1/part': charged('2026-10-01', '2026-10-10', '100.00'),
      'run-2/part': charged('2026-10-09', '2026-10-12', '110.00', { ChargeDescription: 'later' }),
    };
    const read = await readForm(form, files);
    expect(read.faults).toEqual([
      {
        file: `run-2/part.${form}`,
        line: null,
        column: null,
        value: null,
        expected: twice(`run-1/part.${form} (100.00 USD)`, `run-2/part.${form} (110.00 USD)`),
        isUnread: true,
      },
    ]);
    const parts = await readForm(form, files, { areParts: true });
    expect(parts.faults).toEqual([]);
    expect(total(parts)).toEqual(['210.00']);
    expect([...parts.sums.versions.keys()]).toEqual([`run-1/part.${form}`, `run-2/part.${form}`]);
  });

  it('are parts in one folder, and wherever their charges are of other times, bills or accounts', async () => {
    const read = await readForm(form, {
      // Days that alternate between the folders, each ending where the next begins.
      'odd/a': charged(...day(1), '1.00'),
      'odd/b': charged(...day(3), '1.00'),
      'even/a': charged(...day(2), '1.00'),
      'even/b': charged(...day(4), '1.00'),
      // The same day in one folder, by another part.
      'even/c': charged(...day(4), '1.00', { ChargeDescription: 'another' }),
      // A late charge of the same day in a later bill, and those of other accounts and providers.
      'late/a': charged(...day(1), '1.00', {
        BillingPeriodStart: '2026-11-01',
        BillingPeriodEnd: '2026-12-01',
      }),
      'account/a': charged(...day(1), '1.00', { BillingAccountId: 'acc-2' }),
      'provider/a': charged(...day(1), '1.00', { ProviderName: 'Nimbus' }),
    });
    expect(read.faults).toEqual([]);
    expect(total(read)).toEqual(['7.00', '1.00']);
  });

  it('are told apart by their paths if several paths have files of one name', async () => {
    const files = {
      'one/part': charged('2026-10-01', '2026-10-02', '1'),
      'two/part': charged('2026-10-02', '2026-10-03', '2'),
    };
    const read = await readForm(form, files, { named: ['one', 'two'] });
    expect([...read.sums.versions.keys()]).toEqual([
      expect.stringMatching(`/one/part.${form}$`),
      expect.stringMatching(`/two/part.${form}$`),
    ]);
  });
});

const NO_TIMES = { ChargePeriodStart: null, ChargePeriodEnd: null };
const NO_END = { ChargePeriodStart: '2026-10-05', ChargePeriodEnd: null };

it.each([
  // The short charge of the same start does not end the time of the long one.
  ['a long charge', charged('2026-10-01', '2026-10-10', '1'), charged('2026-10-01', '2026-10-02', '1')],
  ['a charge that ends when it starts', charged('2026-10-06', '2026-10-06', '1'), []],
  ['a charge without times', charges(NO_TIMES), []],
  ['a charge without an end', charges(NO_END), []],
])('a later run is found by the time of %s', async (_, rows, more) => {
  const { faults } = await readForm('csv', {
    'run-1/a': [...rows, ...more],
    'run-2/a': charged('2026-10-06', '2026-10-07', '1'),
  });
  expect(faults.map(({ file }) => file)).toEqual(['run-2/a.csv']);
});

it('a folder that was exported three times has each later run refused, however many files it has', async () => {
  const files = Object.fromEntries(
    ['run-1', 'run-2', 'run-3'].flatMap((run) =>
      ['a', 'b'].map((name) => [
        `${run}/${name}`,
        charged('2026-10-01', '2026-10-02', '1.00', { Tags: `{"run":"${run}${name}"}` }),
      ]),
    ),
  );
  const { faults } = await readForm('csv', files);
  expect(faults.map(({ file }) => file)).toEqual(['run-2/a.csv, run-2/b.csv', 'run-3/a.csv, run-3/b.csv']);
  expect(faults[0]?.expected).toMatch(
    /^one run of an export: 2 files of .*run-1 \(2\.00 USD\) and 2 files of .*run-2 \(2\.00 USD\)/,
  );
});

const iso = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;

it('a run with more separate times than are kept is still one run', async () => {
  // 1,500 seconds of the evens; the odd second of the other run lies between two of them.
  const seconds = Array.from({ length: 1_500 }, (_, index) => 1_760_000_000_000 + 2_000 * index);
  const own = { BillingPeriodStart: '2025-10-01', BillingPeriodEnd: '2025-11-01' };
  const rows = seconds.flatMap((time) => charged(iso(time), iso(time + 1_000), '1', own));
  const last = (seconds.at(-1) ?? 0) + 1_000;
  const { faults } = await readForm('csv', {
    'one/a': rows,
    'two/a': charged(iso(last - 1_000), iso(last), '1', own),
  });
  expect(faults).toHaveLength(1);
  const apart = await readForm('csv', {
    'one/a': rows,
    'two/a': charged(iso(last), iso(last + 1_000), '1', own),
  });
  expect(apart.faults).toEqual([]);
});
