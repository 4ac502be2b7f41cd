/**
 * Our lane beside the peers, in a process started as a builder is. Each line of standard input is a job, and each answer one
 * line with the rows of each table.
 */
import { createInterface } from 'node:readline';
import type { Client } from 'pg';
import { openClient } from '../../../src/ledger/connect.ts';
import { WarmThread } from '../../../src/parquet/warm-thread.ts';
import type { LaneJob } from './lane-job.ts';
import { writeOwn } from './own-table.ts';

await using thread = new WarmThread();
let client: (Client & AsyncDisposable) | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const { url, account, moment, tables } = JSON.parse(line) as LaneJob;
  client ??= await openClient({ url, role: 'cf_reader', applicationName: 'crossfoot bench' });
  await client.query('begin isolation level repeatable read read only');
  if (moment !== null) await client.query(`set transaction snapshot ${client.escapeLiteral(moment)}`);
  const rows: number[] = [];
  for (const table of tables) rows.push(await writeOwn(client, BigInt(account), table, thread));
  await client.query('commit');
  process.stdout.write(`${JSON.stringify({ rows })}\n`);
}
await client?.end();
