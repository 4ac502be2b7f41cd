/** Figures of the ledger that are kept, and lists of its rows. */
import type { Mutants } from './mutant.ts';

export const FIGURES: Mutants = {
  'figures-kept-changed': {
    rule: 'a kept figure stands only while nothing of its account changed',
    file: 'src/ledger/lists/account-changes.ts',
    find: 'changed !== false;',
    replace: 'changed === undefined;',
    caughtBy: ['test/serve/live/roi-cache.test.ts'],
  },
  'figures-kept-day': {
    rule: 'a kept figure stands only on the day that it was worked out for',
    file: 'src/serve/live/roi.ts',
    find: 'if ((await parts.readToday(client)) !== today) return false;',
    replace: 'await parts.readToday(client);',
    caughtBy: ['test/serve/live/roi-cache.test.ts'],
  },
  'figures-kept-earlier': {
    rule: 'figures that were begun before a question are no answer to it unless they stand',
    file: 'src/serve/live/figure-cache.ts',
    find: `await this.#cache.settled(key);
    const kept = this.#cache.peek(key);`,
    replace: `if (this.#cache.has(key)) return (await this.#cache.get(key, workOut)).answer;
    const kept = this.#cache.peek(key);`,
    caughtBy: ['test/serve/live/figure-cache.test.ts'],
  },
  'figures-kept-ledger': {
    rule: 'a kept figure is of the ledger that is asked, not of one that was restored over or that another server has taken over',
    file: 'schema/ledger/0019-servers.sql',
    find: "select split_part(seen, '/', 1) <> service.seen_ledger() or exists (",
    replace: 'select exists (',
    caughtBy: ['test/serve/live/roi-cache.test.ts'],
  },
  'figures-kept-visible': {
    rule: 'what was committed late is a change of the account',
    file: 'schema/ledger/0019-servers.sql',
    find: 'where c.account_id = account and c.xid >= pg_snapshot_xmin(saw.mark) and not pg_visible_in_snapshot(c.xid, saw.mark))',
    replace:
      'where c.account_id = account and c.xid >= pg_snapshot_xmin(saw.mark) and c.xid >= pg_snapshot_xmax(saw.mark))',
    caughtBy: ['test/serve/live/roi-cache.test.ts'],
  },
  'list-equal-stamps': {
    rule: 'a page loses no row of those that changed at one moment',
    file: 'src/ledger/lists/keyset.ts',
    find: ': [sql<boolean>`(updated_at, id) > (${instant(after.updated_at)}, ${after.id})`]),',
    replace: ': [sql<boolean>`updated_at > ${instant(after.updated_at)}`]),',
    caughtBy: ['test/serve/live/resources.test.ts'],
  },
  'list-horizon-edge': {
    rule: 'a row of the very microsecond of the horizon is not served (server D)',
    file: 'src/ledger/lists/keyset.ts',
    find: 'sql`updated_at < ${instant(horizon)}`,',
    replace: 'sql`updated_at <= ${instant(horizon)}`,',
    caughtBy: ['test/serve/live/horizon-edge.test.ts'],
  },
  'list-horizon': {
    rule: 'a list stops before what an open writer may still stamp (fault F-38)',
    file: 'src/ledger/lists/keyset.ts',
    find: 'sql`updated_at < ${instant(horizon)}`,',
    replace: 'sql`(updated_at < ${instant(horizon)} or true)`,',
    caughtBy: ['test/serve/live/resources.test.ts'],
  },
  'list-order': {
    rule: 'rows that changed at one moment have one order',
    file: 'src/ledger/lists/keyset.ts',
    find: "'oldest change': { order: sql`updated_at, id`,",
    replace: "'oldest change': { order: sql`updated_at`,",
    caughtBy: ['test/serve/live/resources.test.ts'],
  },
  'list-order-newest': {
    rule: 'rows that changed at one moment have one order, newest first',
    file: 'src/ledger/lists/keyset.ts',
    find: 'sql`updated_at desc, id desc`',
    replace: 'sql`updated_at desc`',
    caughtBy: ['test/serve/assistant/newest-first.test.ts'],
  },
  'error-without-stack': {
    rule: 'a person reads no stack of an error that was not foreseen',
    file: 'src/commands/terminal/run-program.ts',
    find: 'person ? `crossfoot: ${String(error)}` :',
    replace: 'whole === undefined ? `crossfoot: ${String(error)}` :',
    caughtBy: ['test/commands/terminal/output-forms.test.ts'],
  },
  'progress-after-two-seconds': {
    rule: 'a step that ends within two seconds shows no progress',
    file: 'src/commands/terminal/progress.ts',
    find: 'const PATIENCE_MS = 2_000;',
    replace: 'const PATIENCE_MS = 1_000;',
    caughtBy: ['test/commands/terminal/progress.test.ts'],
  },
  'progress-erased': {
    rule: 'the progress line is erased before another line is written',
    file: 'src/commands/terminal/progress.ts',
    find: 'if (shown) terminal.write(`${TO_THE_START}${ERASE_THE_REST}`);',
    replace: '',
    caughtBy: ['test/commands/terminal/progress.test.ts'],
  },
  'progress-sum-on-a-terminal': {
    rule: 'the sum of the tables is shown on a terminal alone',
    file: 'src/run/build/report.ts',
    find: 'if (isLast && follow !== undefined)',
    replace: 'if (isLast)',
    caughtBy: ['test/run/build/report.test.ts'],
  },
  'output-closed-ends': {
    rule: 'a command ends once nobody reads its output',
    file: 'src/commands/terminal/run-program.ts',
    find: '\n      if (stop.signal.reason === OUTPUT_CLOSED) throw OUTPUT_CLOSED;',
    replace: '',
    caughtBy: ['test/commands/diff/diff.test.ts'],
  },
  'window-excludes-months': {
    rule: 'a window and months exclude each other',
    file: 'src/figures/requested-window.ts',
    find: 'if (window !== undefined) {',
    replace: 'if (window === null) {',
    caughtBy: ['test/figures/requested-window.test.ts'],
  },
  'roi-cache-fiscal-year': {
    rule: 'a cached figure is valid for the fiscal year that it was computed for',
    file: 'src/serve/live/roi.ts',
    find: 'if ((await readFiscalYearStart(client, account_id)) !== fiscal_year_start_month) return false;',
    replace: '',
    caughtBy: ['test/serve/live/roi-cache.test.ts'],
  },
  'ai-spend-cards': {
    rule: 'card charges are never added to bills',
    file: 'src/figures/ai-spend.ts',
    find: "if (month.source_kind === 'card') continue;",
    replace: '',
    caughtBy: ['test/serve/assistant/comparison.test.ts'],
  },
};
