import { readdir, readlink } from 'node:fs/promises';
import { CommanderError } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { compare } from '../../../src/commands/diff/compare.ts';
import { addDiffCommand } from '../../../src/commands/diff/diff.ts';
import { formatInstant } from '../../../src/time.ts';
import { type PublishedHistory, publishHistory } from '../../diff/published-history.ts';
import { type Ran, runCommand } from '../in-process.ts';
import { runUnread } from '../program.ts';
import { itInSweeps } from '../../support/sweeps.ts';

const HOUR = 3_600_000_000n;
// By the machine's clock, because by it the command says what has expired. Cost 6 is recorded between the two builds.
const NOW = BigInt(Date.now()) * 1000n;
const RECORDED_AT = formatInstant(NOW - HOUR - HOUR / 2n);

let published: PublishedHistory;
beforeAll(async () => {
  published = await publishHistory([NOW - 2n * HOUR, NOW - HOUR], RECORDED_AT);
});
afterEach(() => vi.useRealTimers());
afterAll(() => published.close());

function run(...args: readonly string[]): Promise<Ran> {
  return runCommand(addDiffCommand, { DATA_DIR: published.root }, 'diff', ...args);
}

/** What is the same whenever the test runs. */
function timeless(printed: readonly string[]): string {
  return printed
    .join('\n')
    .replaceAll(published.earlier, 'EARLIER')
    .replaceAll(published.later, 'LATER')
    .replaceAll(RECORDED_AT, 'BETWEEN')
    .replaceAll(/("updated_at":)"[^"]+"/g, '$1"WHEN"')
    .replaceAll(/(updated_at: )\S+ -> \S+/g, '$1WHEN -> WHEN');
}

describe('diff --json', () => {
  it('prints one object with every changed row of a table', async () => {
    const { earlier } = published;
    const { printed, error } = await run(earlier, 'latest', '--account', '7', '--table', 'costs', '--json');
    expect(error).toBeUndefined();
    expect((JSON.parse(printed.join('\n')) as { data: unknown[] }).data.length).toBe(16);
    await expect(`${timeless(printed)}\n`).toMatchFileSnapshot('diff-costs.golden.ndjson');
  });

  it('prints every table by default, and a valid object also when nothing changed', async () => {
    const { earlier, later } = published;
    const all = JSON.parse((await run(earlier, later, '--account', '7', '--json')).printed.join('\n')) as {
      from: string;
      to: string;
      tables: { added: number; removed: number; changed: number }[];
      data: unknown[];
    };
    expect([all.from, all.to, all.tables.length]).toEqual([earlier, later, 14]);
    expect(all.data.length).toBe(
      all.tables.reduce((sum, each) => sum + each.added + each.removed + each.changed, 0),
    );
    const none = (await run(later, later, '--account', '7', '--json')).printed.join('\n');
    expect(JSON.parse(none)).toMatchObject({ data: [] });
  });
});

itInSweeps(
  'a reader that closes its end early ends diff without a word, and leaves nothing behind',
  async () => {
    for (const more of [[], ['--table', 'costs']]) {
      const args = ['diff', published.earlier, 'latest', '--account', '7', ...more];
      expect(await runUnread(args, { DATA_DIR: published.root })).toEqual({ code: 1, stderr: '' });
    }
    expect(await readdir(`${published.root}/spool`)).toEqual([]);
  },
);

it('a reader that closes its end early ends a command of one long text without a stack', async () => {
  // The text is printed at once, so the command is over before the end of the pipe is known.
  const { stderr } = await runUnread(['warehouse', 'duckdb'], { DATA_DIR: published.root });
  expect(stderr).toBe('');
});

describe('diff', () => {
  it('says how many rows changed, and of the portfolio what moved and why', async () => {
    const { printed } = await run(published.earlier, published.later, '--account', '7');
    const lines = printed.map((line) => line.replaceAll(/ +/g, ' '));
    expect(lines.slice(0, 2)).toEqual([`from ${published.earlier}`, `to ${published.later}`]);
    expect(lines).toContain('costs 3 3 10');
    // Costs of all time: 220,000 of initiative 1 at first and 13,000 of 3, then 17,500 more.
    const from = lines.findIndex((line) => line.startsWith('all cost_cents'));
    expect(lines.slice(from, from + 10)).toEqual([
      'all cost_cents: 233000 -> 250500, +17500',
      ' +2000 rate_became_average, entries: 1',
      ' +12500 rate_arrived, entries: 1',
      ' -1000 rate_changed, entries: 1',
      ' +11000 initiative_entered, entries: 1',
      ' -13000 initiative_left, entries: 1',
      ' +3000 month_reopened, entries: 1',
      ' +9000 entry_added, entries: 1',
      ' -6000 entry_deleted, entries: 1',
      expect.stringMatching(/^all net_value_cents: /),
    ]);
    expect(lines.filter((line) => line.includes('cost_entry_id'))).toEqual([]);
  });

  it('shows the rows of one table, what differs and why', async () => {
    const { printed } = await run(published.earlier, published.later, '--account', '7', '--table', 'costs');
    const told = timeless(printed).split('\n');
    const from = told.indexOf('costs cost_entry_id 4: changed, month_reopened');
    expect(told.slice(from, from + 5)).toEqual([
      'costs cost_entry_id 4: changed, month_reopened',
      '  amount_cents: 30000 -> 33000',
      '  usd_amount_cents: 30000 -> 33000',
      '  locked: true -> false',
      '  updated_at: WHEN -> WHEN',
    ]);
    expect(told).toContain('costs cost_entry_id 6: added, entry_added');
    expect(told).toContain('  usd_rate_from: empty -> 2026-05-01');
  });

  it('shows why each total moved, also a move that no entry explains', async () => {
    const ids = [published.earlier, published.later, '--account', '7'];
    const { printed } = await run(...ids, '--table', 'reported_totals');
    const from = printed.indexOf(
      'reported_totals scope portfolio, initiative_id empty, window_key fy2026-q1: changed',
    );
    // Entry 4, in March, was 30,000 and is 33,000; the plan is 1,000 a month more since January.
    expect(
      printed
        .slice(from + 1)
        .filter((line) => /^ {2}(cost|planned_value_to_date)_cents/.test(line))
        .slice(0, 4),
    ).toEqual([
      '  cost_cents: 30000 -> 33000',
      '  planned_value_to_date_cents: 30000 -> 33000',
      '  cost_cents: 30000 -> 33000, +3000',
      '  planned_value_to_date_cents: 30000 -> 33000, +3000',
    ]);
    expect(printed.slice(from)).toContain('      +3000  month_reopened, entries: 1');
    expect(printed.slice(from)).toContain('      +3000  plan_moved');
  });

  it('says so when nothing changed, and leaves nothing behind', async () => {
    const { printed } = await run('latest', 'latest', '--account', '7');
    expect(printed.at(-1)).toBe('nothing changed');
    expect(await readdir(`${published.root}/spool`)).toEqual([]);
  });

  it.each([
    ['20200101T000000Z', '7'],
    ['latest', '8'],
  ])('does not find %s of account %s, and says where its snapshots are listed', async (snapshot, account) => {
    const { error } = await run(snapshot, published.later, '--account', account);
    expect(error).toMatchObject({
      code: 'not_found',
      message: `Account ${account} has no readable snapshot ${snapshot}.`,
      hint: `npx --no crossfoot snapshots --account ${account} lists its snapshots.`,
    });
  });

  it('compares no snapshot that has expired by the clock of the machine', async () => {
    // A snapshot that another followed is kept for 14 days.
    vi.useFakeTimers({ toFake: ['Date'], now: Number(NOW / 1000n) + 15 * 86_400_000 });
    const { error } = await run(published.earlier, 'latest', '--account', '7');
    expect(error).toMatchObject({ code: 'snapshot_expired' });
  });

  it.each([
    [[], /required option '--account <id>'/],
    [['--account', 'seven'], /'seven' is invalid/],
    [['--account', '7', '--table', 'cost'], /'cost' is invalid. Allowed choices are snapshot, /],
  ])('is refused with %j', async (more, sentence) => {
    const { said, printed, error } = await run(published.earlier, 'latest', ...more);
    expect(error).toBeInstanceOf(CommanderError);
    expect([printed, said.join('\n')]).toEqual([[], expect.stringMatching(sentence)]);
  });

  it('stops when it is told to, and prints nothing', async () => {
    const printed: string[] = [];
    const stopping = new AbortController();
    const stopped = compare(
      published.earlier,
      'latest',
      { account: 7n, json: false },
      {
        env: { DATA_DIR: published.root },
        signal: stopping.signal,
        print: (line) => printed.push(line),
        say: () => undefined,
      },
    );
    stopping.abort(new Error('enough')); // its settings are read, nothing is compared yet
    await expect(stopped).rejects.toThrow('enough');
    expect(printed).toEqual([]);
  });

  it('leaves no file open', async () => {
    await run(published.earlier, 'latest', '--account', '7');
    const names = await readdir('/proc/self/fd').catch(() => []); // of Linux
    const files = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    expect(files.filter((file) => file.includes('changes.ndjson'))).toEqual([]);
  });
});
