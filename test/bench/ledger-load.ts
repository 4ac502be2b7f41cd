/**
 * `load` as its own process: new rows, the same rows again, and one changed row in a hundred. Each is held against a bare
 * COPY of the rows into a table with the same columns, checks and indexes, without triggers and foreign keys.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { readSettings } from '../../src/config.ts';
import { asOwner } from '../../src/run/as-owner.ts';
import { openDatabases } from '../../src/run/databases.ts';
import type { Databases } from '../../src/run/opened-databases.ts';
import { type Benchmark, type Figure, figure } from './benchmark.ts';
import { type LoadableAccount, addLoadableAccount, rowsOf } from './ledgers/loadable-account.ts';
import { median, timed } from './rounds.ts';

const ROWS = 100_000;
/** Above so many rows, one round is long enough by itself. */
const MAX_ROWS_OF_ROUNDS = 100_000;
const ROUNDS = 3;

const TOP = fileURLToPath(new URL('../../', import.meta.url));
/** Said by the process when it ends, on a line of its own. */
const TELL_PEAK = `data:text/javascript,${encodeURIComponent("process.on('exit', () => console.error(process.resourceUsage().maxRSS))")}`;

const TABLES = ['cost_entries', 'value_entries', 'usage'] as const;
type Table = (typeof TABLES)[number];

/** What a load of `rows` rows is promised to take, in times of the floor, and how the table's line must count them. */
const CASES = {
  insert: { at_most: 4, counts: (rows: number) => `${rows} inserted, 0 updated, 0 unchanged` },
  unchanged: { at_most: 3, counts: (rows: number) => `0 inserted, 0 updated, ${rows} unchanged` },
  changed: {
    at_most: 4,
    counts: (rows: number) => `0 inserted, ${rows / 100} updated, ${rows - rows / 100} unchanged`,
  },
} as const;
type Case = keyof typeof CASES;
const TITLES: Readonly<Record<Case, string>> = {
  insert: 'new rows',
  unchanged: 'the same rows again',
  changed: 'one row in a hundred changed',
};

interface Loaded {
  readonly wall_s: number;
  readonly peak_mb: number;
}

type Round = Readonly<Record<Case, Loaded>> & { readonly floor_s: number };

export const ledgerLoad: Benchmark = {
  name: 'load',
  title: 'files of rows loaded into the ledger',
  run: async ({ rows, folder, say }) => {
    const asked = Math.ceil((rows ?? ROWS) / 100) * 100;
    const { signal } = new AbortController();
    const databases = await openDatabases(
      readSettings({ ...process.env, DATA_DIR: folder }),
      signal,
      undefined,
      {
        creates: true,
      },
    );
    try {
      return await asOwner(databases, 'crossfoot bench', async (owner) => {
        const figures: Figure[] = [];
        for (const table of TABLES) {
          const rounds: Round[] = [];
          while (rounds.length < (asked > MAX_ROWS_OF_ROUNDS ? 1 : ROUNDS)) {
            const round = await oneRound(owner, { databases, folder, table, rows: asked });
            say(`  ${table}: ${JSON.stringify(round)}`);
            rounds.push(round);
          }
          figures.push(...figuresOf(table, asked, rounds));
        }
        return figures;
      });
    } finally {
      await databases[Symbol.asyncDispose]();
    }
  },
};

interface RoundRequest {
  readonly databases: Databases;
  readonly folder: string;
  readonly table: Table;
  readonly rows: number;
}

/** Loads the rows of a new account three times, and copies them into a bare table. */
async function oneRound(owner: Client, { databases, folder, table, rows }: RoundRequest): Promise<Round> {
  const account = await addLoadableAccount(owner);
  const files = join(folder, 'files');
  const file = join(files, `${table}.csv`);
  await mkdir(files, { recursive: true });
  const loads: Partial<Record<Case, Loaded>> = {};
  for (const [name, { counts }] of Object.entries(CASES) as [Case, (typeof CASES)[Case]][]) {
    await writeRows(owner, file, rowsOf(table, account, { rows, changed: name === 'changed' }));
    loads[name] = await runLoad(databases, folder, [files], `${table}: ${counts(rows)}`);
  }
  const floor_s = await copyBare(owner, { table, account, file: join(folder, `${table}.txt`), rows });
  return { ...(loads as Record<Case, Loaded>), floor_s };
}

async function writeRows(owner: Client, file: string, select: string): Promise<void> {
  await pipeline(
    owner.query(copyTo(`copy (${select}) to stdout (format csv, header)`)),
    createWriteStream(file),
  );
}

/** Runs `load` with these arguments; throws unless it says this line. */
export async function runLoad(
  { ledgerUrl, ownerUrl }: Databases,
  folder: string,
  asked: readonly string[],
  line: string,
): Promise<Loaded> {
  const env = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: `--import=${TELL_PEAK}`,
    LEDGER_URL: ledgerUrl,
    OWNER_URL: ownerUrl ?? '',
    DATA_DIR: folder,
  };
  let said = ['', ''];
  const { wall_s } = await timed(async () => {
    const child = spawn(join(TOP, 'bin/crossfoot'), ['load', ...asked], {
      cwd: TOP,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit');
    said = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await ended) as [number | null];
    if (code !== 0 || !said[0]?.includes(line)) {
      throw new Error(`load ended with ${code} and said not "${line}" but: ${said.join('\n')}`);
    }
  });
  return { wall_s, peak_mb: Number(said[1]?.trimEnd().split('\n').at(-1)) / 1024 };
}

/** Seconds for a bare COPY of the account's rows, as the ledger holds them. */
async function copyBare(
  owner: Client,
  { table, account, file, rows }: { table: Table; account: LoadableAccount; file: string; rows: number },
): Promise<number> {
  const { rows: found } = await owner.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
     where attrelid = 'ledger.${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const names = found[0]?.names ?? '';
  await pipeline(
    owner.query(
      copyTo(
        `copy (select ${names} from ledger.${table} where account_id = ${account.id} order by id) to stdout`,
      ),
    ),
    createWriteStream(file),
  );
  await owner.query(`create table ledger.bare_${table} (like ledger.${table} including all)`);
  const { wall_s } = await timed(() =>
    pipeline(
      createReadStream(file),
      owner.query(copyFrom(`copy ledger.bare_${table} (${names}) from stdin`)),
    ),
  );
  const { rowCount } = await owner.query(`select from ledger.bare_${table}`);
  await owner.query(`drop table ledger.bare_${table}`);
  if (rowCount !== rows) throw new Error(`${rowCount} rows were copied, not ${rows}`);
  return wall_s;
}

function figuresOf(table: Table, rows: number, rounds: readonly Round[]): Figure[] {
  const runs = rounds.length;
  const floor = median(rounds.map(({ floor_s }) => floor_s));
  const of = `a bare COPY of the ${rows} rows, which takes ${floor.toFixed(2)} s`;
  return (Object.keys(CASES) as Case[]).flatMap((name) => {
    const { at_most } = CASES[name];
    const title = `load: ${table}, ${TITLES[name]}`;
    const ratio = median(rounds.map((round) => round[name].wall_s / round.floor_s));
    const peak = Math.max(...rounds.map((round) => round[name].peak_mb));
    return [
      figure(title, ratio, 'times', { against: of, runs, target: { at_most } }),
      figure(`${title}: wall`, median(rounds.map((round) => round[name].wall_s)), 's', { runs }),
      figure(`${title}: peak memory`, peak, 'MB', { runs, target: { at_most: 450 } }),
    ];
  });
}
