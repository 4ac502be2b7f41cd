import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareSnapshots, type CompareTools, type Pair } from '../../src/diff/compare.ts';
import { kindOf } from '../../src/sql-scripts.ts';
import { REASON_NAMES } from '../../src/diff/reasons.ts';
import { TABLES } from '../../src/tables/all.ts';
import { type Company, company, row } from '../snapshot/audit/audited-company.ts';
import { cost, type MutableRow } from '../snapshot/audit/audited-rows.ts';
import { compared, compareTools } from './compared.ts';
import { HeldSnapshots } from './held-snapshots.ts';

const EARLIER = '20260815T020000Z';
const LATER = '20260816T020000Z';

let held: HeldSnapshots;
let root: string;
let tools: CompareTools;
beforeAll(async () => {
  held = new HeldSnapshots();
  root = await mkdtemp(join(tmpdir(), "crossfoot-it's-compare's-")); // a name that SQL would stumble over
  tools = await compareTools(root, held.reader);
});
afterAll(async () => {
  await rm(root, { recursive: true });
});

/** The audited company, and the same changed. */
async function pairOf(change: (rows: Company) => void, value_inputs?: MutableRow[]): Promise<Pair> {
  const rows = { ...company(), ...(value_inputs !== undefined && { value_inputs }) };
  const earlier = await held.hold(EARLIER, rows);
  change(rows);
  return { account_id: 7n, earlier, later: await held.hold(LATER, rows) };
}

/** A frozen input of a value entry. */
const input = (value_entry_id: bigint, variable: string, label: string) => ({
  ...company()['value_inputs']?.[0],
  value_entry_id,
  variable,
  label,
});

/** The total of the portfolio of all time. */
function portfolio(rows: Company) {
  const total = rows['reported_totals']?.find(
    ({ scope, window_key }) => scope === 'portfolio' && window_key === 'all',
  );
  if (total === undefined) throw new Error('the company has totals');
  return total;
}

const refusals = [
  [
    'moved and no entry did',
    (rows: Company) => (portfolio(rows)['freed_capacity_cents'] = 1n),
    /^reported_totals portfolio all freed_capacity_cents: it changed by -2999 cents, but the reasons add up to 0 cents;/,
  ],
  [
    'stayed though a cost came',
    (rows: Company) => rows['costs']?.push(cost(99n, 1n, null, { amount_cents: 5n })),
    /^reported_totals initiative 1 all cost_cents: it changed by 0 cents, but the reasons add up to 5 cents;/,
  ],
] as const;

describe('a comparison', () => {
  it.each(refusals)('is refused whole when a total %s', async (_, change, message) => {
    const pair = await pairOf((rows) => void change(rows));
    const refused = compareSnapshots(pair, tools);
    await expect(refused).rejects.toMatchObject({ code: 'diff_unexplained' });
    await expect(refused).rejects.toThrow(message);
    expect(await readdir(root)).toEqual([]);
  });

  it.each(['earlier', 'later'] as const)(
    'leaves out tables and columns that the %s snapshot was built without',
    async (side) => {
      // Of each table from which rows of both snapshots are put together one column, not the last; value keeps its notes.
      const missing: Readonly<Record<string, string>> = {
        snapshot: 'account_name',
        initiatives: 'hypothesis',
        costs: 'notes',
        reported_value: 'provenance',
      };
      const older = TABLES.filter(({ name }) => name !== 'ai_spend').map((table) => ({
        ...table,
        columns: table.columns.filter(({ name }) => name !== missing[table.name]),
      }));
      const begin = company();
      const goOn = company();
      Object.assign(goOn['snapshot']?.[0] ?? {}, { account_name: 'Another' });
      Object.assign(row(goOn, 'initiatives', 1n), { hypothesis: 'Another' });
      Object.assign(row(goOn, 'costs', 21n), { notes: 'Another' });
      Object.assign(row(goOn, 'reported_value', 11n), { provenance: 'Another' });
      goOn['ai_spend']?.pop();
      const pair = {
        account_id: 7n,
        earlier: await held.hold(EARLIER, begin, side === 'earlier' ? older : TABLES),
        later: await held.hold(LATER, goOn, side === 'later' ? older : TABLES),
      };
      expect(await compared(pair, tools)).toEqual([]);
      const file = await compareSnapshots(pair, tools);
      expect(file.tables.map(({ name }) => name)).toEqual(older.map(({ name }) => name));
      await file.close();
    },
  );

  it('answers rows in the order of the whole key, whichever snapshot has them', async () => {
    const pair = await pairOf(
      (rows) => {
        rows['value_inputs'] = [input(13n, 'z', 'New'), input(14n, 'a', 'New'), input(14n, 'b', 'Other')];
      },
      [input(12n, 'c', 'Old'), input(14n, 'b', 'Old')],
    );
    expect((await compared(pair, tools)).map(({ change, key }) => [change, key])).toEqual([
      ['removed', { value_entry_id: 12, variable: 'c' }],
      ['added', { value_entry_id: 13, variable: 'z' }],
      ['added', { value_entry_id: 14, variable: 'a' }],
      ['changed', { value_entry_id: 14, variable: 'b' }],
    ]);
  });

  it('stops when aborted, and leaves no files', async () => {
    const stopping = new AbortController();
    const openEngine: CompareTools['openEngine'] = async (options) => {
      const engine = await tools.openEngine(options);
      stopping.abort(new Error('enough'));
      return engine;
    };
    const pair = await pairOf(() => undefined);
    const stopped = compareSnapshots(pair, { ...tools, openEngine, signal: stopping.signal });
    await expect(stopped).rejects.toThrow('enough');
    expect(await readdir(root)).toEqual([]);
  });

  it('reads nothing when aborted before, and no further table when aborted meanwhile', async () => {
    const stopping = new AbortController();
    const opened: string[] = [];
    const snapshots: CompareTools['snapshots'] = {
      openTable: (account_id, snapshot_id, table) => {
        opened.push(table);
        stopping.abort(new Error('enough'));
        return held.reader.openTable(account_id, snapshot_id, table);
      },
    };
    const pair = await pairOf(() => undefined);
    const stopped = compareSnapshots(pair, { ...tools, snapshots, signal: stopping.signal });
    await expect(stopped).rejects.toThrow('enough');
    expect(opened).toEqual(['snapshot']);
    const never = compareSnapshots(pair, { ...tools, snapshots, signal: stopping.signal });
    await expect(never).rejects.toThrow('enough');
    expect([opened, await readdir(root)]).toEqual([['snapshot'], []]);
  });

  it('runs no further script once it is told to stop between two', async () => {
    const stopping = new AbortController();
    const ran: string[] = [];
    const openEngine: CompareTools['openEngine'] = async (options) => {
      const engine = await tools.openEngine(options);
      return {
        run: async (sql) => {
          ran.push(sql);
          await engine.run(sql);
          if (sql === 'select 1') stopping.abort(new Error('enough'));
        },
        rows: (sql) => engine.rows(sql),
        interrupt: () => engine.interrupt(),
        [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
      };
    };
    const sql = [
      { name: '00-view-first', sql: 'select 1' },
      { name: '01-view-second', sql: 'select 2' },
    ];
    const pair = await pairOf(() => undefined);
    const stopped = compareSnapshots(pair, { ...tools, sql, openEngine, signal: stopping.signal });
    await expect(stopped).rejects.toThrow('enough');
    expect(ran.slice(1)).toEqual(['select 1']); // after the reasons
  });

  it('interrupts the running statement when aborted, and no closed engine', async () => {
    let interrupted = 0;
    let closed = 0;
    const opened = (begun: () => void): CompareTools['openEngine'] => {
      return async (options) => {
        const engine = await tools.openEngine(options);
        const stuck = Promise.withResolvers<void>();
        return {
          // Stands for a statement that ends by an interrupt alone.
          run: (sql) => {
            if (sql !== 'stuck') return engine.run(sql);
            begun();
            return stuck.promise;
          },
          rows: (sql) => engine.rows(sql),
          interrupt: () => {
            interrupted += 1;
            stuck.reject(new Error('interrupted'));
          },
          [Symbol.asyncDispose]: async () => {
            closed += 1;
            await engine[Symbol.asyncDispose]();
          },
        };
      };
    };
    const pair = await pairOf(() => undefined);
    const ended = new AbortController();
    const openEngine = opened(() => undefined);
    const file = await compareSnapshots(pair, { ...tools, openEngine, signal: ended.signal });
    await file.close();
    ended.abort();
    expect([interrupted, closed]).toEqual([0, 1]);
    const stopping = new AbortController();
    const stopped = compareSnapshots(pair, {
      ...tools,
      sql: [{ name: '00-view-stuck', sql: 'stuck' }],
      openEngine: opened(() => stopping.abort()),
      signal: stopping.signal,
    });
    await expect(stopped).rejects.toThrow('interrupted');
    expect([interrupted, closed]).toEqual([1, 2]);
  });

  it('closes its file when that has not the rows that were counted', async () => {
    const handles: { readonly fd: number }[] = [];
    const fs: CompareTools['fs'] = {
      ...tools.fs,
      open: async (...named: Parameters<typeof tools.fs.open>) => {
        const handle = await tools.fs.open(...named);
        handles.push(handle);
        return handle;
      },
    };
    const sql = tools.sql.map((file) => ({
      ...file,
      sql: file.name.startsWith('95')
        ? `${file.sql.replace(/;\s*$/, '')} having change <> 'changed'`
        : file.sql,
    }));
    const pair = await pairOf(
      (rows) => void Object.assign(rows['snapshot']?.[0] ?? {}, { account_name: 'Other' }),
    );
    await expect(compareSnapshots(pair, { ...tools, fs, sql })).rejects.toThrow(
      '0 rows changed, the file has 1',
    );
    expect([handles.length > 1, handles.map(({ fd }) => fd).filter((fd) => fd !== -1)]).toEqual([true, []]);
  });

  it('gives its engine one folder and bounded memory, and its files no other place', async () => {
    const opened: Parameters<CompareTools['openEngine']>[0][] = [];
    const file = await compareSnapshots(await pairOf(() => undefined), {
      ...tools,
      openEngine: (options) => {
        opened.push(options);
        return tools.openEngine(options);
      },
    });
    await file.close();
    const directory = opened[0]?.directory ?? '';
    expect(opened).toEqual([{ directory, tempDirectory: `${directory}/spill`, memoryLimit: '256MB' }]);
    expect(directory.startsWith(`${root}/diff-`)).toBe(true);
  });
});

describe('the SQL of a comparison', () => {
  it('knows the reasons of the list and no others', () => {
    const text = tools.sql.map(({ sql }) => sql).join('\n');
    const outcomes = ['disputed', 'archived', 'sent_back'];
    const named = [...text.matchAll(/place\('([a-z_]+)'\)/g)].flatMap(([, name]) => name ?? []);
    expect([...new Set([...named, ...outcomes])].toSorted()).toEqual([...REASON_NAMES].toSorted());
  });

  it('says in the name of each file what it does', () => {
    expect(tools.sql.map(kindOf)).toHaveLength(tools.sql.length);
    expect(() => kindOf({ name: '10-odd-file', sql: '' })).toThrow('10-odd-file does not say what it does');
  });
});
