/** That the lanes' files hold the same rows, told by another engine: how many, and a digest that no order changes. */
import { DuckDBInstance } from '@duckdb/node-api';
import type { LaneTable } from './lane-job.ts';

/** Throws unless the files of all lanes hold the rows of the first lane's. */
export async function requireSameRows(lanes: readonly (readonly LaneTable[])[]): Promise<void> {
  const [first = [], ...others] = lanes;
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    const digestOf = async ({ columns, file }: LaneTable): Promise<string> => {
      const values = columns.map(({ name, type }) => `"${name}"::${type}`).join(', ');
      const digest = `select count(*)::varchar || ' ' || sum(hash(${values}))::varchar as digest from '${file}'`;
      return JSON.stringify((await connection.runAndReadAll(digest)).getRowObjectsJson());
    };
    for (const [index, table] of first.entries()) {
      const expected = await digestOf(table);
      for (const other of others) {
        const peer = other[index];
        const found = peer === undefined ? 'nothing' : await digestOf(peer);
        if (found !== expected) {
          throw new Error(
            `${peer?.file} holds ${found}, ${table.file} ${expected}: count and digest of its rows`,
          );
        }
      }
    }
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
