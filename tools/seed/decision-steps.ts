/** The seeded budgets, portfolio decisions, and the months that are locked at the end. */
import type { SeedStep } from './step.ts';

/** The statements, in order. Months come last, because a locked month accepts no writes. */
export const DECISION_STEPS: readonly SeedStep[] = [
  {
    table: 'approval_chains',
    sql: `
      insert into ledger.approval_chains (account_id, id, subject_kind, name, active)
      select account_id, n, (array['initiative', 'value_entry', 'budget', 'charter'])[n], 'Chain ' || n, n <> 4
      from pg_temp.plan, generate_series(1, 4) as n`,
  },
  {
    table: 'approval_chain_steps',
    sql: `
      insert into ledger.approval_chain_steps (account_id, id, chain_id, step, approver_id, approver_role)
      select account_id, 2 * n - 2 + k, n, k, case k when 2 then users_before + 1 end, case k when 1 then 'admin' end
      from pg_temp.plan, generate_series(1, 4) as n, generate_series(1, 2) as k`,
  },
  {
    table: 'charters',
    sql: `
      insert into ledger.charters (account_id, id, initiative_id, title, status, submitted_at)
      select account_id, n, n, 'Charter ' || n, (array['draft', 'submitted', 'approved', 'rejected'])[1 + n % 4],
        case when n % 4 <> 0 then first_month end
      from pg_temp.plan, generate_series(1, initiatives, 5) as n`,
  },
  {
    table: 'approval_decisions',
    // Decisions on initiatives, charters and budgets; their ids follow those of the decisions on value entries. Every
    // thirteenth subject has lost its initiative, as if the initiative was deleted.
    sql: `
      insert into ledger.approval_decisions
        (account_id, id, subject_kind, subject_id, initiative_id, subject_title, decision, resulting_state, step, total_steps, source,
          decided_by_id, decided_at, created_at)
      select account_id, rows + n, (array['initiative', 'charter', 'budget'])[1 + n % 3], n, case when n % 13 <> 12 then n end, 'Initiative ' || n,
        (array['approved', 'step_approved', 'rejected', 'sent_back'])[1 + n / 2 % 4], 'reviewing', case when n / 2 % 4 = 1 then 1 end,
        case when n / 2 % 4 = 1 then 2 end, 'direct', users_before + 1, first_month + 30, first_month + 30
      from pg_temp.plan, generate_series(1, initiatives, 2) as n`,
  },
  {
    table: 'portfolio_decisions',
    sql: `
      insert into ledger.portfolio_decisions
        (account_id, id, initiative_id, subject_title, outcome, stage_before, stage_after, rationale, next_review_on, cash_value_cents,
          freed_capacity_cents, cost_to_date_cents, planned_value_cents, planned_value_to_date_cents, currency, decided_by_id, decided_at, created_at)
      select account_id, n, case when n % 13 <> 12 then n end, 'Initiative ' || n, (array['continue', 'scale', 'fix', 'pause', 'retire'])[1 + n / 4 % 5],
        'live', (array['live', 'live', 'live', 'paused', 'completed'])[1 + n / 4 % 5], 'Decided, "as shown"', case when n % 3 <> 0 then last_day + 90 end,
        pg_temp.draw(seed, 'decided cash', n, 1000000), pg_temp.draw(seed, 'decided capacity', n, 100000), pg_temp.draw(seed, 'decided cost', n, 1000000) - 1000,
        case when n % 5 <> 0 then pg_temp.draw(seed, 'decided plan', n, 2000000) end,
        case when n % 5 <> 0 then pg_temp.draw(seed, 'decided plan to date', n, 1000000) end, 'USD',
        case when n % 6 <> 0 then users_before + 1 + n % people end, last_day - (n % 300)::integer, last_day - (n % 300)::integer
      from pg_temp.plan, generate_series(1, initiatives, 4) as n`,
  },
  {
    table: 'budget_versions',
    // Up to three versions in one currency, of any status. The second is a revision, and some third versions have an end.
    sql: `
      insert into ledger.budget_versions
        (account_id, id, initiative_id, status, source, capex_cents, opex_cents, opex_cadence, currency, effective_from, ends_on, reason,
          set_by_id, decided_at, decided_by_id, created_at)
      select account_id, 3 * n - 3 + k, n, status, (array['approval', 'revision', 'manual'])[k], pg_temp.draw(seed, 'budget capex', 3 * n + k, 3000000),
        pg_temp.draw(seed, 'budget opex', 3 * n + k, 300000), (array['monthly', 'quarterly', 'annually'])[1 + (n + k) % 3],
        pg_temp.draw_currency(seed, 'budget', n), starts, case when k = 3 and n % 7 = 1 then starts + 200 end,
        case when k = 2 then 'Revised' end, users_before + 1, case when status in ('approved', 'rejected') then starts - 10 end,
        case when status in ('approved', 'rejected') then users_before + 1 end, starts - 20
      from pg_temp.plan
      cross join generate_series(1, initiatives, 2) as n
      cross join generate_series(1, 1 + n % 3) as k
      cross join lateral (
        select first_month + (pg_temp.draw(seed, 'budget from', n, 20 * months) + 90 * (k - 1))::integer as starts,
          (array['approved', 'approved', 'approved', 'pending', 'rejected', 'withdrawn'])[1 + pg_temp.draw(seed, 'budget status', 3 * n + k, 6)] as status
      ) as drawn`,
  },
  {
    table: 'accounting_months',
    // The next step locks the first fifth of these months. A guard that runs while the table is empty would get a query plan
    // for an empty table.
    sql: `
      insert into ledger.accounting_months
        (account_id, id, month, status, locked_at, locked_by_id, reopened_at, reopened_by_id, reopen_reason)
      select account_id, n, (first_month + make_interval(months => n - 1))::date, status, case when status = 'reopened' then last_day end,
        case when status = 'reopened' then users_before + 1 end, case when status = 'reopened' then last_day end,
        case when status = 'reopened' then users_before + 1 end, case when status = 'reopened' then 'Late invoice' end
      from pg_temp.plan
      cross join generate_series(1, months) as n
      cross join lateral (
        select case when n % 7 = 0 then 'reopened' when n > months - 2 then 'in_review' else 'open' end as status
      ) as drawn`,
  },
  {
    table: 'accounting_months',
    sql: `
      update ledger.accounting_months m set status = 'locked', locked_at = p.last_day, locked_by_id = p.users_before + 1
      from pg_temp.plan p where m.account_id = p.account_id and m.id <= p.months / 5`,
  },
];
