-- The key of each formula.
select f.id, f.formula_key
from ledger.formulas f
where f.account_id = :account_id
order by f.id
