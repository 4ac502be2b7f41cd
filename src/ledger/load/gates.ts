/** Holds the gates of the accounts that a load writes, before its first row. */
import type { Client } from 'pg';
import { escapeIdentifier } from 'pg';
import { accountColumn } from '../staging/catalogue.ts';
import type { StagedFile } from '../staging/staged-file.ts';

/**
 * Locks the gates of the files' accounts until the commit, in the order of their ids. So the close of a month waits for the
 * load, or the load for the close. A load that changed an entry first would wait for the close, and the close for that
 * entry: PostgreSQL would end one of the two. A file of months closes and reopens them itself, and locks as a close does.
 */
export async function holdGates(client: Client, files: readonly StagedFile[]): Promise<void> {
  const accounts = files.flatMap(({ table, rows }) => {
    const column = accountColumn(table);
    return column === null ? [] : [`select ${escapeIdentifier(column)} from ${rows}`];
  });
  if (accounts.length === 0) return;
  const closes = files.some(({ table }) => table.name === 'accounting_months');
  await client.query(
    `select from ledger.account_gates where account_id in (${accounts.join(' union ')})
     order by account_id for ${closes ? 'update' : 'share'}`,
  );
}
