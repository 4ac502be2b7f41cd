import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadFocus } from '../../../src/ledger/focus/load-focus.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { foundCompany } from '../load/folder.ts';

/** What the exporter of LiteLLM 1.110.2 (`FocusTransformer`) writes of two days of two providers. */
const KEPT = fileURLToPath(new URL('litellm-1.110.2.csv', import.meta.url));
/** The folder with what the campaign `litellm` has just let the exporter write. */
const WRITTEN = process.env['LITELLM_EXPORT'];
const EXPORTS = [
  KEPT,
  ...(WRITTEN === undefined ? [] : ['litellm.csv', 'litellm.parquet'].map((name) => join(WRITTEN, name))),
];
let account = 580;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

describe.each(EXPORTS)('the export of LiteLLM in %s', (path) => {
  it('has models and requests, and no tokens, which the load says', async () => {
    account += 1;
    const pool = database.pool('cf_owner', 1);
    await foundCompany(pool, account);
    const { sums } = await loadFocus({
      url: database.url('cf_owner'),
      paths: [path],
      account: BigInt(account),
      isOwnSnapshot: async () => await Promise.resolve(false),
    });
    expect(sums.notes).toEqual([
      expect.stringContaining('its AI charges name no tokens; load usage.csv to add tokens to its bills'),
    ]);
    const { rows } = await pool.query<Record<string, unknown>>(
      `select a.model, a.quantity, a.unit, a.billed_cost, a.cost_cents::int as cents, b.amount_cents::int as bill
        from reporting.ai_usage a join ledger.provider_bills b on b.account_id = a.account_id and b.id = a.bill_id
        where a.account_id = ${account} order by a.used_on`,
    );
    expect(rows).toEqual([
      { model: 'gpt-5', quantity: '4', unit: 'requests', billed_cost: '0.012346', cents: 1, bill: 1 },
      {
        model: 'claude-sonnet-4',
        quantity: '2',
        unit: 'requests',
        billed_cost: '1.5',
        cents: 150,
        bill: 150,
      },
    ]);
  });
});
