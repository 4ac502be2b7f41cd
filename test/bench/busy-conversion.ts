/**
 * `npm run campaign -- busy-conversion --rows 1000000`: an account of so many entries in foreign currencies, converted
 * while others read, write and close months in it. Prints the time and rows of the run, how long each of the others
 * waited at most, and what a second run takes. Fails unless every entry then stands at the rate of exact fractions, and
 * a last run writes nothing. The database is an embedded one of its own: making the entries switches triggers off for a
 * while.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Client } from 'pg';
import { asOwner } from '../../src/run/as-owner.ts';
import { requireOwner, openDatabases } from '../../src/run/databases.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import { loadSharedRows } from '../../src/run/demo/shared-rows.ts';
import { readSettings } from '../../src/config.ts';
import { type Conversion, convert } from '../../src/ledger/convert/convert.ts';
import { writtenBy } from './conversion.ts';
import { wronglyConverted } from './converted-exactly.ts';
import { addForeignEntries } from './ledgers/foreign-entries.ts';
import { workBeside } from './work-beside.ts';

const TODAY = '2026-07-15';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

async function run(
  owner: Client,
  account: bigint,
): Promise<{ conversion: Conversion; ms: number; longest: number }> {
  let last = performance.now();
  let longest = 0;
  const began = last;
  const conversion = await convert(owner, {
    account_id: account,
    today: TODAY,
    signal: new AbortController().signal,
    onBatch: () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    },
  });
  return { conversion, ms: performance.now() - began, longest };
}

async function measure(databases: Databases, owner: Client): Promise<void> {
  await loadSharedRows(requireOwner(databases));
  const began = performance.now();
  const account = await addForeignEntries(owner, Number(values.rows));
  say(`${values.rows} entries made in ${seconds(performance.now() - began)}`);
  const beside = await workBeside(requireOwner(databases), databases.ledgerUrl, account);
  const first = await run(owner, account);
  const waits = await beside.stop();
  const perSecond = Math.round(writtenBy(first.conversion) / (first.ms / 1000));
  say(
    `converted ${writtenBy(first.conversion)} rows in ${seconds(first.ms)}, ${perSecond} a second; ` +
      `the longest batch took ${seconds(first.longest)}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const { work, times, median_ms, longest_ms } of waits) {
    say(
      `  ${work}: ${times} times, ${median_ms.toFixed(0)} ms in the middle, ${longest_ms.toFixed(0)} ms at most`,
    );
  }
  for (const { currency, written, entries } of first.conversion.accounts[0]?.currencies ?? []) {
    say(`  ${currency}: ${written} written, ${JSON.stringify(entries)}`);
  }
  const second = await run(owner, account);
  say(`again: ${writtenBy(second.conversion)} rows, of what was written meanwhile, in ${seconds(second.ms)}`);
  const third = await run(owner, account);
  say(`again: ${writtenBy(third.conversion)} rows in ${seconds(third.ms)}`);
  const wrong = await wronglyConverted(owner, account, TODAY);
  say(
    wrong.length === 0 ? 'every rate is that of exact fractions' : `failed: ${wrong.slice(0, 5).join('; ')}`,
  );
  if (wrong.length > 0 || writtenBy(third.conversion) > 0) process.exitCode = 1;
}

say(
  `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${(totalmem() / 1e9).toFixed(1)} GB, Node ${process.version}`,
);
const folder = await mkdtemp(join(tmpdir(), 'crossfoot-rates-bench-'));
const stop = new AbortController();
process.on('SIGINT', () => stop.abort(new Error('stopped')));
const databases = await openDatabases(readSettings({ DATA_DIR: folder }), stop.signal, undefined, {
  creates: true,
});
try {
  await asOwner(databases, 'crossfoot bench', (owner) => measure(databases, owner));
} finally {
  await databases[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
}
