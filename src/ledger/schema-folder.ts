/** The location of this program's SQL. */
import { fileURLToPath } from 'node:url';

/** The folder `schema`, with the SQL in `ledger`, `views`, `control`, `companions`, `audit`, `focus`, `diff` and `feed`. */
export const SCHEMA_FOLDER = fileURLToPath(new URL('../../schema', import.meta.url));
