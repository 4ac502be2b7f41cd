/** The seeded value entries, with their formula inputs, approvals and cited documents. */
import { OBSERVATIONS_EACH } from './initiative-steps.ts';
import type { SeedStep } from './step.ts';

/**
 * The function of the random values that an approval and its entry must share. Three of four entries are calculated: they get
 * the requested number of inputs, spread evenly.
 */
export const DRAFTS = `
  create or replace function pg_temp.value_drafts(first_n bigint, last_n bigint) returns table (
    n bigint, initiative_id bigint, currency text, month date, entry_type text, status text, amount_cents bigint, input_count bigint)
  language sql stable
  as $$
    select n, pg_temp.draw_initiative(seed, 'value', n, initiatives), pg_temp.draw_currency(seed, 'value', n),
      (first_month + make_interval(months => pg_temp.draw(seed, 'value month', n, months + 2)::integer))::date,
      (array['revenue_gain', 'cost_savings', 'cost_avoidance', 'capacity', 'capacity_realized', 'cost_savings'])
        [1 + pg_temp.draw(seed, 'entry type', n, 6)],
      (array['draft', 'calculated', 'reviewed', 'disputed', 'archived', 'approved'])[1 + least(pg_temp.draw(seed, 'status', n, 25), 5)],
      case when n % 71 = 0 then -1 else 1 end * (1 + pg_temp.draw(seed, 'value amount', n, 999))
        * (array[10, 100, 1000, 1000])[1 + pg_temp.draw(seed, 'value size', n, 4)],
      case when n % 4 <> 0 then inputs * (n - n / 4) / (rows - rows / 4) - inputs * (n - n / 4 - 1) / (rows - rows / 4) end
    from pg_temp.plan, generate_series(first_n, least(last_n, rows)) as n
  $$`;

// The inputs of one entry as JSON. Their sources repeat in this order: baseline, reading, assumption, derived figure, sum of a
// period.
const INPUTS = `
  select coalesce(string_agg(concat('"input_', k, '":{"label":"Input ', k, '","source_type":"',
    (array['baseline', 'observation', 'assumption', 'derived', 'period'])[1 + (k - 1) % 5], '","value":', 1 + (n + k) % 997,
    case (k - 1) % 5
      when 0 then concat(',"baseline_method":"',
        (array['history', 'time_study', 'without_ai_sample', 'benchmark', 'estimate', 'history'])[1 + n % 6],
        '","metric_key":"generated.metric_1","observation_id":', (initiative_id - 1) * ${OBSERVATIONS_EACH} + 1 + n % 2,
        ',"input_period_start":"', month, '"')
      when 1 then concat(',"metric_key":"generated.metric_2","observation_id":',
        (initiative_id - 1) * ${OBSERVATIONS_EACH} + 3 + n % ${OBSERVATIONS_EACH - 2}, ',"observed_at":"', month, 'T22:00:00Z"')
      when 2 then concat(',"assumption_id":', 1 + n % 6, ',"assumption_key":"generated_rate_', (1 + n % 6) % 3,
        '","assumption_scope":"account","requires_confirmation":', (n % 2 = 0)::text)
      when 3 then ',"expression":"input_1 / 60"'
      else concat(',"input_period_start":"', month, '"')
    end, '}'), ','), '')
  from generate_series(1, input_count) as k`;

/** The approvals of value entries: a long step. */
export const APPROVALS: SeedStep = {
  table: 'approval_decisions',
  sql: `
      insert into ledger.approval_decisions
        (account_id, id, subject_kind, subject_id, initiative_id, subject_title, item_label, decision, resulting_state, step, total_steps,
          source, amount_cents, currency, reason, decided_by_id, decided_at, created_at)
      select account_id, n, 'value_entry', n, initiative_id, 'Initiative ' || initiative_id, 'Value entry ' || n,
        case d.status when 'approved' then 'approved' when 'disputed' then 'disputed' when 'archived' then 'sent_back' else 'step_approved' end,
        d.status, case when d.status in ('reviewed', 'draft', 'calculated') then 1 end, case when d.status in ('reviewed', 'draft', 'calculated') then 2 end,
        source, amount_cents, d.currency, case when n % 5 = 0 then 'As agreed' end,
        case when source <> 'auto' and n % 4 <> 0 then users_before + 1 + n % people end, month + 40 + interval '0.000001 seconds' * (n % 1000000), month + 40
      from pg_temp.plan
      cross join pg_temp.value_drafts($1, $2) as d
      cross join lateral (
        select (array['direct', 'bulk', 'auto', 'backfill', 'assistant', 'import'])[1 + pg_temp.draw(seed, 'approval', n, 6)] as source
      ) as drawn
      where n % 5 <> 2`,
};

/** The value entries: a long step. */
export const VALUES: SeedStep = {
  table: 'value_entries',
  sql: `
      insert into ledger.value_entries
        (account_id, id, initiative_id, amount_cents, currency, usd_rate, usd_rate_from, usd_rate_through, status, entry_type, period_start,
          period_end, is_estimated, confidence_score, quality_score, source_type, connection_id, source_ref, formula_version_id,
          input_snapshot, vendor_price_effect_cents, own_changes_effect_cents, notes, recorded_by_id, created_at)
      select account_id, n, initiative_id, case when d.status <> 'draft' then amount_cents end, case when d.status <> 'draft' then d.currency end,
        case when d.status <> 'draft' then usd_rate end, case when d.status <> 'draft' then usd_rate_from end,
        case when d.status <> 'draft' then usd_rate_through end, d.status, case when d.status <> 'draft' then entry_type end, period_start,
        period_end, n % 14 = 3, case when n % 3 = 0 then pg_temp.draw(seed, 'value confidence', n, 1001) / 10.0 end,
        case when n % 4 = 0 then pg_temp.draw(seed, 'value quality', n, 101) end, source,
        case when source = 'integration' then 1 + n % connections end, case when source in ('integration', 'csv') then 'ref-' || n end,
        case when source = 'calculated' then version end,
        case when source = 'calculated' then
          concat('{"expression":"input_1 * ', version, '","inputs":{', (${INPUTS}), '}}') else '{}' end,
        case when effects then amount_cents / 3 end, case when effects then amount_cents - amount_cents / 3 end,
        case when n % 7 = 0 then E'Worked out with sales,\\n"twice" — n° ' || n end,
        case when source in ('manual', 'assistant', 'csv') and n % 6 <> 0 then users_before + 1 + n % people end,
        month + 35 + interval '9 hours 0.000001 seconds'
      from pg_temp.plan
      cross join (select count(*) as connections from ledger.platforms) as counted
      cross join pg_temp.value_drafts($1, $2) as d
      cross join lateral pg_temp.draw_period(seed, 'value', n, d.currency, d.month) as period
      cross join lateral (
        select case when input_count is not null then 'calculated'
            else (array['manual', 'assistant', 'csv', 'integration'])[1 + pg_temp.draw(seed, 'value source', n, 4)] end as source,
          1 + pg_temp.draw(seed, 'formula', n, 8) as version, n % 9 = 4 and d.status <> 'draft' as effects
      ) as drawn
      -- Value gets no provisional rate: without a period, or until the period is complete, it has no rate.
      left join pg_temp.period_rates r
        on r.key = pg_temp.rate_key(d.currency, period_start, period_end, null) and not r.usd_rate_provisional`,
};

export const CITATIONS: SeedStep = {
  table: 'document_citations',
  // Every eighth entry, if its initiative has a document, cites that document; every second of these cites it twice.
  sql: `
      insert into ledger.document_citations (account_id, id, value_entry_id, document_id, cited_at)
      select account_id, 2 * n - 2 + k, n, initiative_id, month + 41 - k::integer
      from pg_temp.plan cross join generate_series(1, rows, 8) as cited cross join lateral pg_temp.value_drafts(cited, cited)
      cross join generate_series(1, 2) as k
      where initiative_id % 3 = 1 and (k = 1 or n % 16 = 1)`,
};
