/** The reason of value that waits for rates of a currency that has no rates any more. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLeftOutReasons } from '../../../src/ledger/convert/left-out-reasons.ts';
import { addValue, foundAccount, inAccount } from '../../support/ledger-rows.ts';
import { type ConvertingLedger, openConversion } from './conversion-harness.ts';

let ledger: ConvertingLedger;
beforeAll(async () => {
  ledger = await openConversion();
  // BGN ends on 31 December; the dollar, and so the euro, goes on to 31 March.
  await ledger.publish('2025-12-31 USD 1.1', '2025-12-31 BGN 2.0', '2026-03-31 USD 1.2');
});
afterAll(() => ledger.database.drop());

it.each([
  ['BGN', '2026-03-31', '2026-04-10', 'in vain', 'the dollar has a rate on its last day, BGN has none'],
  ['BGN', '2026-04-01', '2026-04-10', 'waiting', 'no currency has a rate on or after its last day'],
  ['BGN', '2026-03-31', '2026-03-30', 'waiting', 'the rate of its last day is not yet published'],
  ['EUR', '2026-04-01', '2026-04-10', 'waiting', 'the euro has a rate wherever the dollar has one'],
  ['KES', '2026-03-31', '2026-04-10', 'no_published_rates', 'KES never had a rate'],
])('value in %s until %s is left out on %s as %s: %s', async (currency, period_end, today, reason) => {
  const { database, owner } = ledger;
  const home = await foundAccount(owner);
  await inAccount(owner, home.account, () =>
    addValue(owner, home, { period_start: '2026-03-01', period_end, currency, amount_cents: 100 }),
  );
  const reader = await database.client('cf_reader');
  const asked = { account_id: home.account, today };
  const reasons = await inAccount(reader, home.account, () =>
    readLeftOutReasons(reader, asked, ['value_entries']),
  );
  const row = { table: 'value_entries', currency, entries: 1, amount_cents: 100 };
  expect(reasons).toEqual([
    reason === 'in vain' ? { ...row, reason: 'waiting', rates_ended: true } : { ...row, reason },
  ]);
});
