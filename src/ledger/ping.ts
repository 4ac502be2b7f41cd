/** The health check of the ledger database. */
import type { ClientConfig, Pool, QueryConfig } from 'pg';

// A check that hangs must not occupy a session of the pool for longer than its caller waits.
const ANSWER_LIMIT_MS = 2_000;

/** Resolves if the database answers a statement within two seconds; rejects otherwise. */
export async function pingDatabase(reader: Pool): Promise<void> {
  const question: ClientConfig & QueryConfig = { text: 'select', query_timeout: ANSWER_LIMIT_MS };
  await reader.query(question);
}
