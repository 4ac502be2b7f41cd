-- The key of each formula, straight from the base table. The audit compares it with the formula of each value entry.
select f.id, f.formula_key
from ledger.formulas f
where f.account_id = :account_id
order by f.id
