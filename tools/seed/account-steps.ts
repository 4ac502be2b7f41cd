/** The seeded account: its people, vendors, connections, books, metrics and formulas. */
import type { SeedStep } from './step.ts';

/** The statements, in the order in which keys need them. */
export const ACCOUNT_STEPS: readonly SeedStep[] = [
  {
    table: 'accounts',
    sql: `
      insert into ledger.accounts
        (id, name, plan, plan_includes_api, fiscal_year_start_month, contribution_margin, auto_approve_value, app_url, created_at)
      select account_id, 'Generated account ' || account_id, 'enterprise', true, 1 + pg_temp.draw(seed, 'fiscal year', 1, 12),
        0.5 + pg_temp.draw(seed, 'margin', 1, 5001) / 10000.0, true, 'https://app.crossfoot.example/' || account_id, first_month
      from pg_temp.plan`,
  },
  {
    table: 'users',
    sql: `
      insert into ledger.users (id, name, created_at)
      select users_before + n, case when n % 10 <> 9 then 'Person ' || n || ' of ' || account_id end, first_month
      from pg_temp.plan, generate_series(1, people) as n`,
  },
  {
    table: 'memberships',
    sql: `
      insert into ledger.memberships (account_id, id, user_id, role, removed_at, created_at)
      select account_id, n, users_before + n, (array['owner', 'admin', 'member', 'viewer'])[least(n, 1 + n % 4)],
        case when n % 10 = 8 then last_day end, first_month
      from pg_temp.plan, generate_series(1, people) as n`,
  },
  {
    table: 'accounts',
    sql: `
      update ledger.accounts a set reporting_enabled_at = p.first_month, reporting_enabled_by_id = p.users_before + 1
      from pg_temp.plan p where a.id = p.account_id`,
  },
  {
    table: 'vendors',
    // Every tenth vendor was merged into the vendor before it.
    sql: `
      insert into ledger.vendors (account_id, id, name, is_ai, merged_into_id, set_aside_at, set_aside_by_id, created_at)
      select account_id, n, 'Vendor ' || n || (array[' Inc.', ' GmbH & Co. "KG"', ', Süd', ''])[1 + n % 4], n % 3 = 1,
        case when n % 10 = 0 then n - 1 end, case when n % 7 = 6 then last_day end,
        case when n % 7 = 6 then users_before + 1 end, first_month
      from pg_temp.plan, generate_series(1, vendors) as n`,
  },
  {
    table: 'connections',
    // One connection to each platform, in the order of the platforms' keys.
    sql: `
      insert into ledger.connections
        (account_id, id, platform_key, name, status, auth_type, last_sync_status, last_synced_at, simulated, connected_by_id,
          set_aside_at, set_aside_by_id, created_at)
      select account_id, n, key, case when n % 5 <> 0 then initcap(key) end,
        (array['active', 'active', 'paused', 'error', 'disconnected'])[1 + n % 5], auth_type,
        (array['succeeded', 'partial', 'failed', null])[1 + n % 4], case when n % 4 <> 3 then last_day end, n % 6 = 5,
        users_before + 1, case when n % 5 = 4 then last_day end, case when n % 5 = 4 then users_before + 1 end, first_month
      from pg_temp.plan, (select key, auth_type, row_number() over (order by key collate "C") as n from ledger.platforms) as platforms`,
  },
  {
    table: 'connection_primary_categories',
    sql: `
      insert into ledger.connection_primary_categories (account_id, id, connection_id, category)
      select account_id, n, n, 'category ' || n from pg_temp.plan, generate_series(1, 3) as n`,
  },
  {
    table: 'books_accounts',
    sql: `
      insert into ledger.books_accounts (account_id, id, connection_id, code, name)
      select account_id, n, case when n % 2 = 0 then 1 end, case when n % 3 <> 0 then (6000 + 10 * n)::text end, 'Books ' || n
      from pg_temp.plan, generate_series(1, 8) as n`,
  },
  {
    table: 'metrics',
    sql: `
      insert into ledger.metrics (account_id, id, metric_key, name, metric_type, unit, currency_metric, active, created_at)
      select account_id, n, 'generated.metric_' || n, 'Metric ' || n,
        (array['count', 'duration', 'percentage', 'currency', 'ratio', 'score'])[1 + n % 6], case when n % 6 = 1 then 'minutes' end,
        n % 6 = 3, n % 9 <> 8, first_month
      from pg_temp.plan, generate_series(1, 12) as n`,
  },
  {
    table: 'assumptions',
    sql: `
      insert into ledger.assumptions (account_id, id, key, label, value, unit, effective_from, confirmed_at, confirmed_by_id)
      select account_id, n, 'generated_rate_' || n % 3, 'Loaded hour ' || n, 40 + n, 'USD/hour', first_month + 30 * n::integer,
        case when n % 2 = 0 then last_day end, case when n % 2 = 0 then users_before + 1 end
      from pg_temp.plan, generate_series(1, 6) as n`,
  },
  {
    table: 'formulas',
    sql: `
      insert into ledger.formulas (account_id, id, formula_key, description)
      select account_id, n, 'generated_formula_' || n, case when n % 2 = 0 then 'Formula ' || n end
      from pg_temp.plan, generate_series(1, 4) as n`,
  },
  {
    table: 'formula_versions',
    sql: `
      insert into ledger.formula_versions (account_id, id, formula_id, version, name, expression, created_at)
      select account_id, n, 1 + (n - 1) / 2, 1 + (n - 1) % 2, 'Formula ' || n, 'input_1 * ' || n, first_month
      from pg_temp.plan, generate_series(1, 8) as n`,
  },
];
