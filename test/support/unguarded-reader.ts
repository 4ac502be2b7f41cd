import type { ClientBase } from 'pg';

/** Lets the role that no row security holds stand in for a reader: it may then call what a reader calls. */
export async function letBackupRead(owner: ClientBase): Promise<void> {
  await owner.query(
    'grant execute on function service.seen(), service.changed_since(bigint, text) to cf_backup',
  );
}
