-- The digest and the expression are those of the frozen inputs. Formula, key, name and version are those of one formula
-- version in the ledger. A calculated entry has a formula, and only an entry with a formula has inputs.
set variable reads = ['reported_value'];
with versions as (
  select
    max(content) filter (where name = 'formula_id')::bigint as formula_id,
    max(content) filter (where name = 'version')::integer as formula_version,
    max(content) filter (where name = 'name_digest') as name_digest
  from control where base_table = 'formula_versions' group by row
), formulas as (
  select
    max(content) filter (where name = 'id')::bigint as formula_id,
    max(content) filter (where name = 'formula_key') as formula_key
  from control where base_table = 'formulas' group by row
), entries as not materialized (
  select 'value_entry_id ' || value_entry_id as place, v.*, formulas.formula_key as ledger_key, versions.name_digest
  from reported_value v
  left join formulas using (formula_id)
  left join versions using (formula_id, formula_version)
), suspects as materialized (
  -- Parsing the inputs takes long, so it is done once for all conditions.
  select 'value_entry_id ' || value_entry_id as place, formula_expression, input_snapshot, input_snapshot_sha256,
    expression, formula_id is null and input_snapshot <> '{}' as without_formula, is_unreadable
  from (
    select *, try(input_snapshot ->> '$.expression') as expression,
      formula_id is not null and try(json_type(input_snapshot, ['$', '$.inputs'])) is distinct from ['OBJECT', 'OBJECT'] as is_unreadable
    from reported_value
  )
  where input_snapshot_sha256 <> sha256(input_snapshot)
    or formula_expression is distinct from expression
    or is_unreadable
    or (formula_id is null and input_snapshot <> '{}')
), broken as (
  select place, 'input_snapshot_sha256' as figure, sha256(input_snapshot) as expected, input_snapshot_sha256 as found,
    'it is the digest of the frozen inputs' as rule
  from suspects where input_snapshot_sha256 <> sha256(input_snapshot)
  union all
  select place, 'inputs of input_snapshot', 'an object in a JSON object', 'none', 'an entry of a formula has inputs'
  from suspects where is_unreadable
  union all
  select place, 'formula_expression', expression, formula_expression, 'the frozen inputs hold the expression'
  from suspects where formula_expression is distinct from expression
  union all
  select place, 'input_snapshot', '{}', 'other inputs', 'without a formula there are no inputs'
  from suspects where without_formula
  union all
  select place, 'formula_key', ledger_key, formula_key, 'the ledger has that key for the formula'
  from entries where formula_key is distinct from ledger_key
  union all
  select place, 'formula_id, formula_name and formula_version', 'those of one version in the ledger, or all empty',
    concat_ws(', ', said(formula_id), said(formula_name), said(formula_version)), null
  from entries
  where md5(formula_name) is distinct from name_digest
    or (formula_id is null) <> (formula_version is null) or (formula_id is null) <> (formula_name is null)
  union all
  select place, 'formula_id', 'a formula', null, 'a calculated entry has a formula'
  from entries where source_type = 'calculated' and formula_id is null
)
select 'reported_value' as subject, * from broken order by all;
