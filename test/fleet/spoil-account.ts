/** Figures that the audit must refuse: a view that loses one row of one account, as a dropping join would. */
import type { Client } from 'pg';

/** Spoils the account as the ledger's owner; every other stays as it is. */
export async function spoilAccount(owner: Client, account: bigint): Promise<void> {
  await owner.query(`
    alter view reporting.cost_entries rename to cost_entries_whole;
    create view reporting.cost_entries with (security_invoker = true) as
      select * from reporting.cost_entries_whole
      where not (account_id = ${account}
        and id = (select min(id) from reporting.cost_entries_whole where account_id = ${account} and not is_sample));
    grant select on reporting.cost_entries to cf_reader;`);
}
