/** The location of this program's SQL. */
import { fileURLToPath } from 'node:url';

/** The folder `schema`: `ledger`, `views`, `control`, `audit` and `diff`. */
export const SCHEMA_FOLDER = fileURLToPath(new URL('../../../schema', import.meta.url));
