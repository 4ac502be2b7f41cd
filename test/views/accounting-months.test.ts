/** Accounting months as the table gives them, through close, reopening and close again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockMonth, reopenMonth } from '../support/ledger-rows.ts';
import { type ViewLedger, openLedger } from './ledger-harness.ts';
import { tableRow, tableRows } from './table-rows.ts';

let ledger: ViewLedger;
beforeAll(async () => {
  ledger = await openLedger();
});
afterAll(() => ledger.database.drop());

const month = (day: string) => tableRow(ledger, 'accounting_periods', 'month', day);

it('only a month that was opened for close has a row, in the order of months', async () => {
  expect(await tableRows(ledger, 'accounting_periods')).toEqual([]);
  for (const day of ['2026-02-01', '2025-12-01']) {
    await ledger.add('ledger.accounting_months', { month: day, status: 'open' });
  }
  expect((await tableRows(ledger, 'accounting_periods')).map((row) => row['month'])).toEqual([
    '2025-12-01',
    '2026-02-01',
  ]);
});

it.each([
  ['2024-01-01', 'open'],
  ['2024-02-01', 'in_review'],
])('a month that %s, with status %s, is not locked and names no person', async (day, status) => {
  await ledger.add('ledger.accounting_months', { month: day, status });
  expect(await month(day)).toEqual({
    month: day,
    status,
    locked: false,
    locked_at: null,
    locked_by_id: null,
    locked_by_name: null,
    reopened_at: null,
    reopened_by_id: null,
    reopened_by_name: null,
    reopen_reason: null,
  });
});

it('a locked month says when and by whom, a reopened one why as well', async () => {
  const { person } = ledger.home;
  await ledger.add('ledger.accounting_months', {
    month: '2024-03-01',
    status: 'locked',
    locked_at: '1970-01-01T00:00:01.000001Z',
    locked_by_id: person,
  });
  const locked = { locked_at: 1_000_001n, locked_by_id: person, locked_by_name: 'Ada' };
  expect(await month('2024-03-01')).toMatchObject({ status: 'locked', locked: true, ...locked });
  await ledger.write(() =>
    ledger.owner.query(
      `update ledger.accounting_months set status = 'reopened', reopened_at = '1970-01-01T00:00:02Z',
         reopened_by_id = $1, reopen_reason = 'a late bill' where month = '2024-03-01'`,
      [person],
    ),
  );
  expect(await month('2024-03-01')).toMatchObject({
    status: 'reopened',
    locked: false,
    ...locked,
    reopened_at: 2_000_000n,
    reopened_by_id: person,
    reopened_by_name: 'Ada',
    reopen_reason: 'a late bill',
  });
});

it('a month locked again keeps why it was reopened', async () => {
  const { owner, home, write } = ledger;
  await write(() => lockMonth(owner, home.account, '2024-04-01'));
  await write(() => reopenMonth(owner, home.account, '2024-04-01'));
  await write(() => lockMonth(owner, home.account, '2024-04-01'));
  expect(await month('2024-04-01')).toMatchObject({
    status: 'locked',
    locked: true,
    reopen_reason: 'a late bill',
  });
});
