/** Applies a statement to all rows of a file; if the database refuses it, finds the refused lines. */
import type { Client, DatabaseError } from 'pg';
import { hasSqlState, SQLSTATE_CLASS } from '../../postgres-errors.ts';
import type { LoadFaults } from './faults.ts';
import { refusedRow } from './refusals.ts';
import type { StagedFile } from './staged-file.ts';

// For each refused line the rest of the file is written again, so the search ends after this many refused lines.
const MAX_REFUSED_LINES = 10;
/** SQLSTATEs of data exceptions, broken constraints and our triggers; not of syntax, rights, locks or server failures. */
const REFUSAL = [
  SQLSTATE_CLASS.data_exception,
  SQLSTATE_CLASS.integrity_constraint_violation,
  SQLSTATE_CLASS.plpgsql_error,
];

/** Writes the rows of the lines from `from` through `through`. */
export type ApplyLines = (from: number, through: number) => Promise<{ readonly rowCount: number | null }>;

/**
 * Applies `apply` to every line and returns how many rows it wrote. After a refusal it bisects: it keeps an accepted half of
 * the lines and halves a refused one, until one refused line is left. It adds a fault for it, and tries the lines after it.
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
    // Not a refused row, but a lost connection or a bug.
    if (!hasSqlState(error, ...REFUSAL)) throw error;
    await client.query('rollback to savepoint lines; release savepoint lines');
    return { written: 0, error };
  }
}
