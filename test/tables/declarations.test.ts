import { describe, expect, it } from 'vitest';
import { TABLES, tableNamed } from '../../src/tables/all.ts';

/**
 * The contract's lists, transcribed by hand from its "Resources and their fields": name and kind in published
 * order, `?` for nullable. `initiatives` has one column more than the contract: `currency`, added last.
 */
const CONTRACT: Readonly<Record<string, string>> = {
  snapshot: `snapshot_id string
    schema_version string; generated_at timestamp; as_of date; account_id id; account_name string;
    fiscal_year_start_month integer; sample_initiatives_excluded integer`,
  initiatives: `snapshot_id string
    initiative_id id; title string; stage string; previous_stage string?; category string; module_kind string?;
    department string?; business_unit string?; priority integer?; owner_id id?; owner_name string?;
    started_at timestamp?; went_live_at timestamp?; closed_at timestamp?; archived_at timestamp?;
    planned_capex_cents cents?; planned_opex_cents cents?; planned_cost_savings_cents cents?;
    planned_revenue_uplift_cents cents?; planned_capacity_cents cents?; planned_value_period string?;
    planned_value_cents cents; roi_horizon_years integer?; time_to_value_months integer?; description text?;
    hypothesis text?; created_at timestamp; app_url string; currency string?`,
  reported_value: `snapshot_id string
    value_entry_id id; initiative_id id; amount_cents cents; currency string; usd_amount_cents cents?;
    usd_rate number?; usd_rate_from date?; usd_rate_through date?; entry_type string; period_start timestamp?;
    period_end timestamp?; period_month date?; is_estimated boolean; confidence_score number?;
    source_type string; provenance string; connection_id id?; platform string?; source_ref string?;
    formula_id id?; formula_key string?; formula_name string?; formula_version integer?;
    formula_expression string?; input_snapshot json; input_snapshot_sha256 string;
    vendor_price_effect_cents cents?; own_changes_effect_cents cents?; notes text?; recorded_by_id id?;
    recorded_by_name string?; approved_at timestamp?; approved_by_id id?; approved_by_name string?;
    approval_source string; created_at timestamp; updated_at timestamp; app_url string; basis string?`,
  costs: `snapshot_id string
    cost_entry_id id; initiative_id id; amount_cents cents; currency string; usd_amount_cents cents?;
    usd_rate number?; usd_rate_from date?; usd_rate_through date?; usd_rate_provisional boolean?;
    cost_category string; cost_type string; period_start timestamp?; period_end timestamp?;
    period_month date?; is_estimated boolean; locked boolean; vendor_id id?; vendor_name string?;
    description text?; notes text?; books_account_name string?; source_type string; connection_id id?;
    platform string?; source_ref string?; implementation_id id?; recurring_cost_id id?;
    allocation_line_id id?; recorded_by_id id?; recorded_by_name string?; created_at timestamp;
    updated_at timestamp; app_url string`,
  reported_totals: `snapshot_id string
    scope string; initiative_id id?; window_kind string; window_key string; window_label string;
    from_date date?; through_date date?; window_complete boolean; cash_value_cents cents;
    freed_capacity_cents cents; cost_cents cents; net_value_cents cents; roi number?; capex_cents cents?;
    opex_cents cents?; planned_value_to_date_cents cents?; planned_capacity_to_date_cents cents?;
    planned_opex_to_date_cents cents?; planned_capex_cents cents?; vendor_price_effect_cents cents?`,
};

/** Values as the contract lists them, the stages from its table of states; beside them, nothing is enumerated. */
const STAGES = 'identified reviewing implementing live paused completed rejected dismissed';
const VALUES: Readonly<Record<string, string>> = {
  'initiatives.stage': STAGES,
  'initiatives.previous_stage': STAGES,
  'initiatives.planned_value_period': 'monthly quarterly annually',
  'reported_value.entry_type': 'revenue_gain cost_savings cost_avoidance capacity capacity_realized',
  'reported_value.source_type': 'manual assistant csv calculated integration',
  'reported_value.approval_source': 'auto direct',
  'reported_value.basis': 'measured reconstructed estimated none',
  'costs.cost_category': 'capex opex',
  'reported_totals.scope': 'portfolio initiative',
  'reported_totals.window_kind': 'all_time fiscal_quarter fiscal_year',
};

const KEYS: Readonly<Record<string, readonly string[]>> = {
  snapshot: ['snapshot_id'],
  initiatives: ['initiative_id'],
  reported_value: ['value_entry_id'],
  costs: ['cost_entry_id'],
  reported_totals: ['scope', 'initiative_id', 'window_key'],
};

it('lists the tables in published order', () => {
  expect(TABLES.map((table) => table.name)).toEqual(Object.keys(CONTRACT));
});

it('finds a table by its exact name only', () => {
  expect(TABLES.map((table) => tableNamed(table.name))).toEqual(TABLES);
  expect(tableNamed('Costs')).toBeUndefined();
  expect(tableNamed('toString')).toBeUndefined();
});

it('knows the enumerated columns of the contract and no others', () => {
  const declared = TABLES.flatMap((table) =>
    table.columns.flatMap(({ name, values }) =>
      values ? [[`${table.name}.${name}`, values.join(' ')]] : [],
    ),
  );
  expect(Object.fromEntries(declared)).toEqual(VALUES);
});

it('computes reported_totals and selects the rest', () => {
  const computed = TABLES.filter((table) => table.source === 'figures');
  expect(computed.map((table) => table.name)).toEqual(['reported_totals']);
});

describe.each(TABLES)('$name', (table) => {
  it('has the columns of the contract in its order, kind and nullability', () => {
    const declared = table.columns.map(({ name, kind, nullable }) => `${name} ${kind}${nullable ? '?' : ''}`);
    expect(declared).toEqual(
      (CONTRACT[table.name] ?? '')
        .split(/;|\n(?=\s+\w+ \w+)/)
        .map((part) => part.trim())
        .filter(Boolean),
    );
  });

  it('is known by its key', () => {
    expect(table.key).toEqual(KEYS[table.name]);
  });

  it('names each column once', () => {
    expect(new Set(table.columns.map(({ name }) => name)).size).toBe(table.columns.length);
  });

  it('describes every column in one sentence that says when it is empty', () => {
    const wrong = table.columns.filter(
      ({ nullable, description }) =>
        !/^[A-Z`].+\.$/s.test(description) ||
        /\. [A-Z]/.test(description) ||
        (nullable && !/\bempty\b/.test(description)),
    );
    expect(wrong).toEqual([]);
  });

  it('refers only to tables with one key column, of the same kind', () => {
    const wrong = table.columns.filter(({ kind, references }) => {
      if (references === undefined) return false;
      const target = tableNamed(references);
      const [key, ...more] = target?.columns.filter(({ name }) => target.key.includes(name)) ?? [];
      return key?.kind !== kind || more.length > 0;
    });
    expect(wrong).toEqual([]);
  });

  it('joins the snapshot, and its initiative where it names one', () => {
    const references = Object.fromEntries(
      table.columns.flatMap(({ name, references: to }) => (to === undefined ? [] : [[name, to]])),
    );
    const expected: Record<string, string> = table.name === 'snapshot' ? {} : { snapshot_id: 'snapshot' };
    const namesInitiative = table.columns.some(({ name }) => name === 'initiative_id');
    if (namesInitiative && table.name !== 'initiatives') expected.initiative_id = 'initiatives';
    expect(references).toEqual(expected);
  });
});
