/**
 * The peer of the read API: the same query through plain pg, and JSON.stringify, in a bare HTTP server. Started as a
 * process of its own with the login, the account and the rows of a page; prints its port.
 */
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ClientBase, Pool } from 'pg';
import { listCostEntries } from '../../../src/ledger/lists/cost-entries.ts';

const [url = '', account = '', rows = ''] = process.argv.slice(2);

/** The text and values of the list's own query, taken down instead of asked. */
async function queryOf(): Promise<{ readonly text: string; readonly values: readonly unknown[] }> {
  let asked: { text: string; values: readonly unknown[] } | undefined;
  const scribe = {
    query: (text: string, values: readonly unknown[]) => {
      asked = { text, values };
      return Promise.resolve({ rows: [] });
    },
  };
  const page = {
    account_id: BigInt(account),
    horizon: 4_000_000_000_000_000n,
    after: null,
    rows: Number(rows) + 1,
  };
  await listCostEntries(scribe as unknown as ClientBase, page, { include_sample: false });
  if (asked === undefined) throw new Error('the list asked nothing');
  return asked;
}

const { text, values } = await queryOf();
const pool = new Pool({ connectionString: url, max: 10 });
const server = createServer((_, response) => {
  void (async () => {
    const client = await pool.connect();
    try {
      await client.query(`begin read only; set local app.account_id = '${account}'`);
      const { rows: found } = await client.query(text, [...values]);
      await client.query('commit');
      const body = JSON.stringify({ data: found });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    } finally {
      client.release();
    }
  })();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
