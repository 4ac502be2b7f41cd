/** Records an approval for each approved value entry of a load that has none, so that the audit knows who approved it. */
import type { Client } from 'pg';
import { applyByLine } from '../staging/bisect-refusals.ts';
import type { LoadFaults } from '../staging/faults.ts';
import type { StagedFile } from '../staging/staged-file.ts';

/**
 * Records the approvals of a file's approved entries and returns their number. For a file with ids, the decisions are in
 * approval_decisions.csv; the load records approvals only if the file has `approved_by_id` or `approved_at`.
 */
export async function recordApprovals(
  client: Client,
  staged: StagedFile,
  faults: LoadFaults,
): Promise<number> {
  const { table, rows, stage, source, names } = staged;
  const by = names.has('approved_by_id') ? 's.approved_by_id::bigint' : 'null::bigint';
  const at = names.has('approved_at') ? 's.approved_at::timestamptz' : 'null::timestamptz';
  if (table.name !== 'value_entries' || (source === null && by.startsWith('null') && at.startsWith('null'))) {
    return 0;
  }
  const insert = `insert into ledger.approval_decisions
      (account_id, subject_kind, subject_id, initiative_id, subject_title, decision, source, amount_cents, currency,
        decided_by_id, decided_at)
    select v.account_id, 'value_entry', v.id, v.initiative_id, i.title, 'approved', 'import', v.amount_cents, v.currency,
      coalesce(${by}, (
        select m.user_id from ledger.memberships m
        where m.account_id = v.account_id and m.role = 'owner' and m.removed_at is null order by m.id limit 1)),
      coalesce(${at}, transaction_timestamp())
    from ${rows} r
    join ${stage} s on s._line = r._line
    join ledger.value_entries v on v.account_id = r.account_id and v.id = r.id
    join ledger.initiatives i on i.account_id = v.account_id and i.id = v.initiative_id
    where r._line between $1 and $2 and v.status = 'approved' and v.approval_decision_id is null
    order by r._line`;
  return await applyByLine(client, staged, faults, (from, through) => client.query(insert, [from, through]));
}
