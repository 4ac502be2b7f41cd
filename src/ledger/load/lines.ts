/** Applies a statement to all rows of a file and, where the database refuses, finds the lines it refuses. */
import type { Client, DatabaseError } from 'pg';
import { hasSqlState, SQLSTATE_CLASS } from '../../postgres-errors.ts';
import type { LoadFaults } from './faults.ts';
import { refusedRow } from './refusals.ts';
import type { StagedFile } from './stage.ts';

// Each refused line costs writing the rest of the file again; after some the rest can wait for the next attempt.
const MAX_REFUSED_LINES = 10;
/** Data exceptions, broken constraints, and what our triggers raise; not syntax, rights, locks or the server's own. */
const REFUSAL = [
  SQLSTATE_CLASS.data_exception,
  SQLSTATE_CLASS.integrity_constraint_violation,
  SQLSTATE_CLASS.plpgsql_error,
];

/** Writes the rows of the lines between the two, both included. */
export type ApplyLines = (from: number, through: number) => Promise<{ readonly rowCount: number | null }>;

/**
 * Applies `apply` to every line and returns how many rows it wrote. A refusal is narrowed down by halving, keeping
 * what went through, so that a fault names the very line whatever raised it; then the lines after it are tried.
 */
export async function applyByLine(
  client: Client,
  staged: StagedFile,
  faults: LoadFaults,
  apply: ApplyLines,
): Promise<number> {
  const last = staged.lastLine;
  let from = 1;
  let written = 0;
  for (let refused = 0; from <= last && refused < MAX_REFUSED_LINES && faults.room() > 0; refused += 1) {
    let outcome = await attempt(client, from, last, apply);
    let through = last;
    let error = outcome.error;
    if (error === null) return written + outcome.written;
    while (from < through) {
      const middle = Math.floor((from + through) / 2);
      outcome = await attempt(client, from, middle, apply);
      if (outcome.error === null) {
        written += outcome.written;
        from = middle + 1;
      } else {
        error = outcome.error;
        through = middle;
      }
    }
    faults.add(await refusedRow(client, staged, from, error));
    from += 1;
  }
  return written;
}

async function attempt(
  client: Client,
  from: number,
  through: number,
  apply: ApplyLines,
): Promise<{ written: number; error: DatabaseError | null }> {
  await client.query('savepoint lines');
  try {
    const { rowCount } = await apply(from, through);
    await client.query('release savepoint lines');
    return { written: rowCount ?? 0, error: null };
  } catch (error) {
    // Not a refusal of a row but a lost connection, or a mistake of ours.
    if (!hasSqlState(error, ...REFUSAL)) throw error;
    await client.query('rollback to savepoint lines; release savepoint lines');
    return { written: 0, error };
  }
}
