/**
 * A small company on two days of July 2026, and what happened between them: each reason at least once. Amounts are in
 * cents; dollars unless another currency stands there. Fiscal years begin in January.
 */
import type { Client } from 'pg';
import { inAccount } from '../support/ledger-rows.ts';

export const ACCOUNT = 7n;

/** Initiatives 1 (lives), 2 (a sample, until it is none), 3 (goes); months, vendors, people; and entries by id. */
const BEFORE = `
  insert into ledger.accounts (id, name, plan, plan_includes_api, app_url, reporting_enabled_at)
    overriding system value values (7, 'Harbour', 'business', true, 'https://app.example', '2026-01-01Z');
  insert into ledger.users (id, name) overriding system value values (1, 'Ada');
  insert into ledger.memberships (account_id, user_id, role) values (7, 1, 'owner');
  insert into ledger.initiatives (account_id, id, title, stage, is_sample, went_live_at, roi_horizon_years, planned_cost_savings_cents, created_at)
    overriding system value values
    (7, 1, 'Quotes', 'live', false, '2026-01-01Z', 1, 120000, '2026-01-01Z'),
    (7, 2, 'Demo', 'live', true, null, null, null, '2026-01-01Z'),
    (7, 3, 'Pilot', 'live', false, null, null, null, '2026-01-01Z');
  insert into ledger.vendors (account_id, id, name) overriding system value values (7, 1, 'Alpha'), (7, 2, 'Beta');
  insert into ledger.cost_entries
    (account_id, id, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through, usd_rate_provisional,
     cost_category, period_start, vendor_name, recorded_by_id, source_type, created_at)
    overriding system value values
    (7, 1, 1, 100000, 'EUR', 1.10, '2026-06-29', '2026-06-29', true,  'opex',  '2026-06-01', null,   null, 'manual', '2026-06-01Z'),
    (7, 2, 1, 10000,  'GBP', null, null,         null,         false, 'capex', '2026-05-01', null,   null, 'manual', '2026-05-01Z'),
    (7, 3, 1, 50000,  'EUR', 1.10, '2026-07-10', '2026-07-10', true,  'opex',  '2026-07-01', null,   null, 'manual', '2026-07-01Z'),
    (7, 4, 1, 30000,  'USD', null, null,         null,         false, 'opex',  '2026-03-01', null,   null, 'manual', '2026-03-01Z'),
    (7, 5, 1, 7000,   'USD', null, null,         null,         false, 'opex',  '2026-04-01', null,   null, 'manual', '2026-04-01Z'),
    (7, 7, 1, 4000,   'USD', null, null,         null,         false, 'opex',  '2026-06-01', null,   null, 'manual', '2026-06-01Z'),
    (7, 8, 1, 5000,   'USD', null, null,         null,         false, 'opex',  '2026-05-01', null,   null, 'manual', '2026-05-01Z'),
    (7, 9, 1, 6000,   'USD', null, null,         null,         false, 'opex',  '2026-06-01', null,   null, 'manual', '2026-06-01Z'),
    (7, 10, 1, 2000,  'USD', null, null,         null,         false, 'opex',  '2026-06-01', 'Beta', null, 'manual', '2026-06-01Z'),
    (7, 11, 1, 1000,  'USD', null, null,         null,         false, 'opex',  null,         null,   1,    'manual', '2026-06-01Z'),
    (7, 12, 2, 11000, 'USD', null, null,         null,         false, 'opex',  '2026-07-01', null,   null, 'manual', '2026-07-01Z'),
    (7, 13, 3, 13000, 'USD', null, null,         null,         false, 'opex',  '2026-05-01', null,   null, 'manual', '2026-05-01Z'),
    (7, 14, 1, 0,     'USD', null, null,         null,         false, 'opex',  '2026-03-01', null,   null, 'manual', '2026-03-01Z'),
    (7, 15, 1, 0,     'USD', null, null,         null,         false, 'opex',  '2026-03-01', null,   null, 'manual', '2026-03-01Z');
  insert into ledger.value_entries
    (account_id, id, initiative_id, amount_cents, currency, status, entry_type, period_start, vendor_price_effect_cents,
     own_changes_effect_cents, source_type, created_at)
    overriding system value values
    (7, 101, 1, 50000, 'USD', 'draft',    'cost_savings',      '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 102, 1, 60000, 'USD', 'approved', 'cost_savings',      '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 103, 1, 20000, 'USD', 'approved', 'cost_savings',      '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 104, 1, 15000, 'USD', 'approved', 'cost_savings',      '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 105, 1, 40000, 'USD', 'approved', 'capacity',          '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 106, 1, 30000, 'USD', 'approved', 'capacity_realized', '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 108, 1, 5000,  'USD', 'draft',    'capacity_realized', '2026-06-01', null, null, 'manual', '2026-06-01Z'),
    (7, 109, 1, 8000,  'USD', 'draft',    'cost_savings',      '2026-07-01', 3000, 5000, 'manual', '2026-07-01Z'),
    (7, 110, 1, 1000,  'USD', 'approved', 'cost_savings',      '2026-04-01', null, null, 'manual', '2026-04-01Z'),
    (7, 111, 3, 70000, 'USD', 'approved', 'cost_savings',      '2026-05-01', null, null, 'manual', '2026-05-01Z');
  insert into ledger.accounting_months (account_id, month, status, locked_at) values (7, '2026-03-01', 'locked', '2026-04-10Z')`;

/** By the writer: an application. Rates and months are set as the conversion and the close set them. */
const between = (recorded_at: string) => `
  update ledger.cost_entries set usd_rate = 1.12, usd_rate_from = '2026-06-01', usd_rate_through = '2026-06-30', usd_rate_provisional = false where id = 1;
  update ledger.cost_entries set usd_rate = 1.25, usd_rate_from = '2026-05-01', usd_rate_through = '2026-05-29' where id = 2;
  update ledger.cost_entries set usd_rate = 1.08, usd_rate_from = '2026-07-13', usd_rate_through = '2026-07-13' where id = 3;
  update ledger.accounting_months set status = 'reopened', reopened_at = '2026-07-14T10:00Z', reopen_reason = 'a late bill' where month = '2026-03-01';
  update ledger.cost_entries set amount_cents = 33000 where id = 4;
  delete from ledger.cost_entries where id = 14;
  insert into ledger.accounting_months (account_id, month, status, locked_at) values (7, '2026-04-01', 'locked', '2026-07-14T11:00Z');
  insert into ledger.cost_entries (account_id, id, initiative_id, amount_cents, currency, cost_category, period_start, source_type, created_at)
    overriding system value values (7, 6, 1, 9000, 'USD', 'opex', '2026-07-01', 'manual', '${recorded_at}'),
      (7, 16, 1, 0, 'USD', 'opex', '2026-03-01', 'manual', '${recorded_at}');
  update ledger.cost_entries set cost_category = 'capex' where id = 7;
  update ledger.cost_entries set period_start = '2026-07-01' where id = 8;
  delete from ledger.cost_entries where id = 9;
  update ledger.vendors set merged_into_id = 1 where id = 2;
  update ledger.value_entries set status = 'approved' where id in (101, 108, 109);
  insert into ledger.approval_decisions (account_id, subject_kind, subject_id, initiative_id, subject_title, decision, resulting_state, source, decided_by_id, decided_at)
    values
    (7, 'value_entry', 102, 1, 'Quotes', 'disputed', null, 'direct', 1, '2026-07-14T13:00Z'),
    (7, 'value_entry', 103, 1, 'Quotes', 'rejected', 'archived', 'direct', 1, '2026-07-14T13:00Z'),
    (7, 'value_entry', 104, 1, 'Quotes', 'sent_back', 'draft', 'direct', 1, '2026-07-14T13:00Z');
  update ledger.value_entries set status = 'disputed' where id = 102;
  update ledger.value_entries set status = 'archived' where id = 103;
  update ledger.value_entries set status = 'draft' where id = 104;
  update ledger.value_entries set amount_cents = 20000 where id = 105;
  update ledger.initiatives set is_sample = false where id = 2;
  delete from ledger.initiatives where id = 3;
  update ledger.initiatives set planned_cost_savings_cents = 132000 where id = 1`;

/** The company as it stands on the first of the two days. */
export async function beginHistory(owner: Client): Promise<void> {
  await inAccount(owner, ACCOUNT, () => owner.query(BEFORE));
}

/** What happens until the second, cost 6 recorded at this instant; a person's name is the owner's to change. */
export async function goOn(owner: Client, writer: Client, recorded_at = '2026-07-14T12:00Z'): Promise<void> {
  await inAccount(writer, ACCOUNT, () => writer.query(between(recorded_at)));
  await owner.query(`update ledger.users set name = 'Ada L.' where id = 1`);
}
