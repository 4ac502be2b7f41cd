/** Writes one table as a build does, with all its promises. */
import { open } from 'node:fs/promises';
import type { Client } from 'pg';
import { copyOut } from '../../../src/ledger/moment/copy.ts';
import { tableSelect } from '../../../src/ledger/moment/table-select.ts';
import type { WarmThread } from '../../../src/parquet/warm-thread.ts';
import { writeCopy } from '../../../src/parquet/write.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { SCHEMA_VERSION } from '../../../src/tables/describe.ts';
import { CONSTANTS, GENERATED_AT, type LaneTable, SNAPSHOT_ID } from './lane-job.ts';

const NEVER = new AbortController().signal;

/** Writes the file in the transaction of the reader; gives its rows. */
export async function writeOwn(
  reader: Client,
  account_id: bigint,
  { name, file }: Pick<LaneTable, 'name' | 'file'>,
  thread: WarmThread,
): Promise<number> {
  const table = TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`there is no table ${name}`);
  const handle = await open(file, 'w');
  try {
    const { rows } = await writeCopy({
      table,
      constants: Object.fromEntries(
        table.columns
          .filter(({ from }) => from === null)
          .map(({ name: column }) => [column, CONSTANTS[column] ?? '']),
      ),
      metadata: { table: name, snapshot_id: SNAPSHOT_ID, schema_version: SCHEMA_VERSION },
      ...copyOut(reader, tableSelect(name, { account_id, generated_at: GENERATED_AT }), NEVER),
      sink: (bytes) => handle.writeFile(bytes),
      thread,
      signal: NEVER,
    });
    return rows;
  } finally {
    await handle.close();
  }
}
