/** How much each select reads of an account with thousands of rows: some of each row, never each row for each other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from 'pg';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { type TestDatabase, createDatabase } from '../../support/database.ts';
import { type Founded, foundAccount, inAccount } from '../../support/ledger-rows.ts';

/** Bills, charges, entries and decisions of each kind: compared each with each they would be four million. */
const ROWS = 2_000;
/** What a plan may look at, in rows per row of a kind: `ai_spend`, which reads eight kinds, came to 57, others to 15. */
const LOOKS_PER_ROW = 100;

let database: TestDatabase;
let reader: Client;
let home: Founded;
beforeAll(async () => {
  database = await createDatabase();
  reader = await database.client('cf_reader');
  const owner = await database.client('cf_owner');
  home = await foundAccount(owner);
  await inAccount(owner, home.account, async () => {
    for (const statement of manyRows(home)) await owner.query(statement);
  });
  // A plan is made for the rows that are there, as it is once autovacuum has passed.
  await owner.query('analyze');
});
afterAll(() => database.drop());

function manyRows({ account, initiative }: Founded): readonly string[] {
  const each = `from generate_series(1, ${ROWS}) as n`;
  const bill = `date '2020-01-01' + make_interval(months => n % 60), 1000, 'USD', 500 ${each}`;
  return [
    `insert into ledger.platforms (key, name, category) values ('openai', 'OpenAI', 'ai')`,
    `insert into ledger.connections (account_id, id, platform_key, status)
       select ${account}, n, 'openai', 'active' from generate_series(1, 40) as n`,
    `insert into ledger.vendors (account_id, id, name, is_ai)
       select ${account}, n, 'Vendor ' || n, true from generate_series(1, 40) as n`,
    `insert into ledger.provider_bills (account_id, id, connection_id, month, amount_cents, currency, ai_amount_cents)
       select ${account}, n, 1 + n % 40, ${bill}`,
    `insert into ledger.vendor_bills (account_id, id, vendor_id, feed, month, amount_cents, currency, ai_amount_cents)
       select ${account}, n, 1 + n % 40, 'books', ${bill}`,
    `insert into ledger.card_charges (account_id, id, connection_id, vendor_id, charged_on, amount_cents, currency)
       select ${account}, n, 1 + n % 40, 1 + n % 40, date '2020-01-01' + n, 1000, 'USD' ${each}`,
    `insert into ledger.ai_spend_links (account_id, id, initiative_id, connection_id)
       select ${account}, n, ${initiative}, n from generate_series(1, 40) as n`,
    `insert into ledger.bill_shares (account_id, link_id, provider_bill_id, share)
       select ${account}, 1 + n % 40, n, 0.5 ${each}`,
    `insert into ledger.cost_entries (account_id, initiative_id, amount_cents, currency, period_start, source_type,
         provider_bill_id, vendor_bill_id, card_charge_id, ai_amount_cents)
       select ${account}, ${initiative}, 100, 'USD', date '2020-01-01' + n, 'manual',
         case n % 3 when 0 then n end, case n % 3 when 1 then n end, case n % 3 when 2 then n end, 50 ${each}`,
    `insert into ledger.metrics (account_id, id, metric_key, name) values (${account}, 1, 'minutes', 'Minutes')`,
    `insert into ledger.observations (account_id, id, metric_id, value, role, source_type)
       select ${account}, n, 1, n, 'reading', 'system' ${each}`,
    `insert into ledger.formulas (account_id, id, formula_key) values (${account}, 1, 'time_saved')`,
    `insert into ledger.formula_versions (account_id, id, formula_id, version, name, expression)
       values (${account}, 1, 1, 1, 'Time saved', 'a')`,
    `insert into ledger.value_entries (account_id, id, initiative_id, amount_cents, currency, status, entry_type,
         period_start, source_type, formula_version_id, input_snapshot)
       select ${account}, n, ${initiative}, 1000, 'USD', 'approved', 'cost_savings', date '2020-01-01' + n, 'calculated',
         1, format('{"expression": "a", "inputs": {"a": {"observation_id": %s}}}', n) ${each}`,
    `insert into ledger.documents (account_id, id, initiative_id, kind, title, format)
       select ${account}, n, ${initiative}, 'other', 'Mail', 'link' ${each}`,
    `insert into ledger.document_citations (account_id, value_entry_id, document_id) select ${account}, n, n ${each}`,
    `insert into ledger.approval_decisions (account_id, subject_kind, subject_id, initiative_id, subject_title, decision,
         source, decided_at)
       select ${account}, 'value_entry', n, ${initiative}, 'Invoices', 'approved', 'auto', now() ${each}`,
    `insert into ledger.portfolio_decisions (account_id, initiative_id, subject_title, outcome, stage_before, stage_after,
         rationale, cash_value_cents, freed_capacity_cents, cost_to_date_cents, currency, decided_at)
       select ${account}, ${initiative}, 'Invoices', 'continue', 'live', 'live', 'It pays', 1, 1, 1, 'USD', now() ${each}`,
    `insert into ledger.initiatives (account_id, id, title, stage)
       select ${account}, 1000000 + n, 'Initiative ' || n, 'live' ${each}`,
    `insert into ledger.budget_versions (account_id, initiative_id, status, source, capex_cents, opex_cents, opex_cadence,
         currency, effective_from, approval_decision_id)
       select ${account}, 1000000 + n, 'pending', 'manual', 1, 1, 'monthly', 'USD', date '2020-01-01',
         (select max(id) from ledger.approval_decisions) ${each}`,
  ];
}

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that came out of each step of a plan, and those that it looked at in vain. */
function looks(node: PlanNode): number {
  const each =
    node['Actual Rows'] + (node['Rows Removed by Join Filter'] ?? 0) + (node['Rows Removed by Filter'] ?? 0);
  return each * node['Actual Loops'] + (node.Plans ?? []).reduce((total, plan) => total + looks(plan), 0);
}

test.each(TABLES.filter(({ from, name }) => from !== null && name !== 'accounting_periods'))(
  'the select of $name looks at each row a few times only',
  async ({ name }) => {
    const select = tableSelect(name, { account_id: home.account, generated_at: 0n });
    const { rows } = await inAccount(reader, home.account, () =>
      reader.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
        `explain (analyze, timing off, format json) ${select}`,
      ),
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    expect(plan && looks(plan)).toBeLessThan(ROWS * LOOKS_PER_ROW);
  },
);
