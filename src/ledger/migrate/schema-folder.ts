/** Where the SQL of this program stands. */
import { fileURLToPath } from 'node:url';

/** The folder `schema`: `ledger`, `views`, `control`, `audit` and `diff`. */
export const SCHEMA_FOLDER = fileURLToPath(new URL('../../../schema', import.meta.url));
