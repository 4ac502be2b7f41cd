/** The seeded initiatives with their approvers, notes, documents, recurring costs, time studies and observations. */
import type { SeedStep } from './step.ts';

/** The observations of each initiative: 2 baselines and 4 readings. */
export const OBSERVATIONS_EACH = 6;

/** The statements; a table comes after the tables that its foreign keys name. */
export const INITIATIVE_STEPS: readonly SeedStep[] = [
  {
    table: 'initiatives',
    // The first eight initiatives have the eight stages; of the later ones, about a third are live. One of seventeen is a sample.
    sql: `
      insert into ledger.initiatives
        (account_id, id, title, description, hypothesis, stage, previous_stage, is_sample, category, module_kind, department,
          business_unit, gl_dimension_value, priority, source, owner_id, confidence_score, currency, roi_horizon_years,
          time_to_value_months, planned_capex_cents, planned_opex_cents, planned_cost_savings_cents,
          planned_revenue_uplift_cents, planned_capacity_cents, planned_value_period, plan_source, plan_confirmed_at,
          plan_confirmed_by_id, submitted_for_review_at, approved_at, started_at, went_live_at, closed_at, archived_at, created_at)
      select account_id, n, 'Initiative ' || n || case when n % 11 = 0 then ', "quoted"' else '' end,
        case when n % 3 <> 0 then E'What it does,\\nin two lines — n° ' || n end, case when n % 4 = 0 then 'Half the time goes' end,
        stage, case when stage = 'paused' then (array['reviewing', 'implementing', 'live'])[1 + n % 3] end, n % 17 = 9,
        case when n % 5 <> 0 then 'category ' || n % 7 end, case when n % 6 = 0 then 'assistant' end,
        case when n % 4 <> 3 then 'Department ' || n % 9 end, case when n % 3 = 0 then 'Unit ' || n % 4 end,
        case when n % 2 = 0 then 'CC-' || n % 40 end, case when n % 3 <> 1 then 1 + n % 5 end, case when n % 4 = 0 then 'idea_portal' end,
        case when n % 8 <> 0 then users_before + 1 + n % people end, case when n % 3 = 0 then pg_temp.draw(seed, 'confidence', n, 1001) / 10.0 end,
        pg_temp.draw_currency(seed, 'initiative', n), case when n % 6 <> 5 then 1 + n % 5 end, case when n % 3 <> 0 then n % 13 end,
        case when n % 4 <> 0 then pg_temp.draw(seed, 'capex', n, 5000000) end, case when n % 5 <> 0 then pg_temp.draw(seed, 'opex', n, 200000) end,
        case when n % 3 <> 0 then pg_temp.draw(seed, 'savings', n, 900000) end, case when n % 3 <> 1 then pg_temp.draw(seed, 'uplift', n, 900000) end,
        case when n % 4 = 1 then pg_temp.draw(seed, 'capacity', n, 300000) end,
        (array['monthly', 'quarterly', 'annually', null])[1 + n % 4], case when n % 7 = 6 then 'service' else 'person' end,
        case when n % 14 = 6 then began end, case when n % 14 = 6 then users_before + 1 end,
        case when stage <> 'identified' then began + interval '10 days' end,
        case when stage not in ('identified', 'reviewing', 'rejected', 'dismissed') then began + interval '20 days' end,
        case when stage not in ('identified', 'reviewing', 'rejected', 'dismissed') and n % 9 <> 4 then began + interval '30 days' end,
        case when stage in ('live', 'completed') or stage = 'paused' and n % 3 = 2 then began + interval '120 days 0.0005 seconds' end,
        case when stage = 'completed' then last_day end, case when stage = 'dismissed' then last_day end, began
      from pg_temp.plan
      cross join generate_series(1, initiatives) as n
      cross join lateral (
        select first_month + pg_temp.draw(seed, 'began', n, 20 * months)::integer as began,
          (array['live', 'completed', 'paused', 'implementing', 'reviewing', 'identified', 'rejected', 'dismissed', 'live', 'live',
            'live', 'live', 'implementing', 'completed'])[1 + case when n <= 8 then n - 1 else pg_temp.draw(seed, 'stage', n, 14) end] as stage
      ) as drawn`,
  },
  {
    table: 'initiative_approvers',
    sql: `
      insert into ledger.initiative_approvers (account_id, id, initiative_id, user_id)
      select account_id, n, n, users_before + 1 from pg_temp.plan, generate_series(1, initiatives, 4) as n`,
  },
  {
    table: 'initiative_notes',
    sql: `
      insert into ledger.initiative_notes (account_id, id, initiative_id, author_id, body, created_at)
      select account_id, n, n, users_before + 1, 'Noted of ' || n, last_day from pg_temp.plan, generate_series(1, initiatives, 6) as n`,
  },
  {
    table: 'assessments',
    sql: `
      insert into ledger.assessments (account_id, id, initiative_id, title, status, created_at)
      select account_id, n, n, 'Assessment ' || n, (array['draft', 'active', 'closed'])[1 + n % 3], last_day
      from pg_temp.plan, generate_series(1, initiatives, 8) as n`,
  },
  {
    table: 'implementations',
    sql: `
      insert into ledger.implementations (account_id, id, initiative_id, title, status, started_on)
      select account_id, n, n, 'Implementation ' || n, (array['planned', 'in_progress', 'done', 'cancelled'])[1 + n % 4], first_month
      from pg_temp.plan, generate_series(1, initiatives, 3) as n`,
  },
  {
    table: 'recurring_costs',
    sql: `
      insert into ledger.recurring_costs
        (account_id, id, initiative_id, description, amount_cents, currency, cadence, cost_type, starts_on)
      select account_id, n, n, 'Seats ' || n, 1000 + n, 'USD', (array['monthly', 'quarterly', 'annually'])[1 + n % 3], 'software', first_month
      from pg_temp.plan, generate_series(1, initiatives, 3) as n`,
  },
  {
    table: 'documents',
    sql: `
      insert into ledger.documents (account_id, id, initiative_id, kind, title, format, created_at)
      select account_id, n, n, (array['business_case', 'review_deck', 'sow', 'contract', 'other'])[1 + n / 3 % 5], 'Document ' || n,
        (array['file', 'link'])[1 + n % 2], first_month
      from pg_temp.plan, generate_series(1, initiatives, 3) as n`,
  },
  {
    table: 'time_studies',
    sql: `
      insert into ledger.time_studies (account_id, id, initiative_id, metric_id, title, started_on, ended_on, restudy_months)
      select account_id, n, n, 1 + n % 12, 'Study ' || n, first_month, first_month + 13, 12
      from pg_temp.plan, generate_series(1, initiatives, 5) as n`,
  },
  {
    table: 'observations',
    // k numbers the ${OBSERVATIONS_EACH} observations of an initiative. Numbers 1 and 2 are baselines; together they have all methods.
    sql: `
      insert into ledger.observations
        (account_id, id, metric_id, initiative_id, value, currency, role, baseline_method, observed_at, period_start, period_end,
          is_estimated, sample_size, quality_score, source_type, connection_id, time_study_id, dimensions, notes, recorded_by_id,
          deleted_at, created_at)
      select account_id, id, 1 + id % 12, n, 1 + pg_temp.draw(seed, 'reading', id, 100000) / 8.0, case when 1 + id % 12 in (3, 9) then 'USD' end,
        case when k <= 2 then 'baseline' else 'reading' end,
        case when k <= 2 then (array['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate'])[1 + id % 5] end,
        case when id % 7 <> 0 then day end, case when id % 3 <> 0 then day end, case when id % 3 = 1 then day + 30 end, id % 11 = 0,
        case when id % 2 = 0 then id % 300 end, case when id % 5 = 0 then pg_temp.draw(seed, 'quality', id, 101) end, source,
        case when source = 'integration' then 1 + id % connections end, case when source = 'time_study' then n end,
        case when id % 6 = 0 then '{"team":"T' || id % 5 || '"}' else '{}' end, case when id % 9 = 0 then 'Read off, n° ' || id end,
        case when source in ('manual', 'assistant', 'csv') and id % 4 <> 0 then users_before + 1 + id % people end,
        case when id % 53 = 0 then last_day end, day
      from pg_temp.plan
      cross join generate_series(1, initiatives) as n
      cross join generate_series(1, ${OBSERVATIONS_EACH}) as k
      cross join lateral (select (n - 1) * ${OBSERVATIONS_EACH} + k as id) as numbered
      cross join lateral (
        select first_month + pg_temp.draw(seed, 'reading day', id, 28 * months)::integer as day,
          case when k = 2 and n % 5 = 1 then 'time_study'
            else (array['integration', 'manual', 'assistant', 'csv', 'calculated', 'system'])[1 + pg_temp.draw(seed, 'reading source', id, 6)] end as source
      ) as drawn
      cross join (select count(*) as connections from ledger.platforms) as counted`,
  },
];
