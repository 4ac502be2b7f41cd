/** Wrong figures: a single value, or a row, of a staged table changed before the audit, which refuses the build. */
import { TABLES } from '../../../src/tables/all.ts';
import type { Column } from '../../../src/tables/table.ts';
import { readCoverage } from '../../snapshot/audit/coverage.ts';
import { refusals } from '../../snapshot/audit/audited-files.ts';
import { AuditHarness, type WrongTable } from '../audit-harness.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { spoilCell } from '../damage/spoil-cell.ts';
import { type StagedFiles, stageBuild } from '../builds/staged-build.ts';

const UNHELD = '-';
const PROGRESS = 500;

interface Mutation extends WrongTable {
  readonly what: string;
  /** Those that are there to refuse it; asked first, because all of them take ten times as long. */
  readonly checks: readonly string[];
}

export const auditCampaign: Campaign = {
  name: 'audit',
  title: 'one value or row of one staged table of a real build changed, and the build audited',
  rows: ['F-19'],
  unit: 'mutations',
  times: { short: 150, long: 10_000 },
  run: async (request) => await auditMutations(await stageBuild(), request),
};

/** Changes one thing after the other in these files, each time in sound ones. */
async function auditMutations(
  files: StagedFiles,
  { seed, times, say, signal }: CampaignRequest,
): Promise<CampaignResult> {
  await using harness = await AuditHarness.open(files);
  const sound = await harness.audit();
  if (!sound.passed) throw new Error(`the sound build is refused by ${refusals(sound).join(', ')}`);
  const bad: string[] = [];
  const figures = { values: 0, rows: 0, by_others: 0 };
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const chance = chanceOf(seed + done);
    const kind = chance.happens(0.05) ? 'rows' : 'values';
    const mutation = kind === 'rows' ? spoilRow(harness, chance) : await spoilValue(harness, chance);
    figures[kind] += 1;
    let report = await harness.audit(mutation, mutation.checks);
    if (report.passed) {
      // Of what its own checks take for possible, the others may know better.
      report = await harness.audit(mutation);
      figures.by_others += 1;
    }
    if (report.passed)
      bad.push(`${mutation.what} is not refused (again: --only audit --times 1 --seed ${seed + done})`);
    if (done % PROGRESS === PROGRESS - 1) say(`${done + 1} of ${times}, ${bad.length} missed`);
  }
  return { done, bad, figures };
}

/** Columns that a check holds, of tables in which there is a row to change. */
const HELD = readCoverage().filter(({ checks }) => checks[0] !== UNHELD);

async function spoilValue(harness: AuditHarness, chance: Chance): Promise<Mutation> {
  for (;;) {
    const { table, column, checks } = chance.oneOf(HELD);
    const rows = harness.rowsOf(table);
    const [row, another] = [chance.below(rows), chance.below(rows)];
    const cell = `"${column}"`;
    const { how, sql } = spoilCell(
      columnOf(table, column),
      `(select other.${cell} from ${table} as other where rowid = ${another})`,
      chance,
    );
    const asked = `select (${sql}) is distinct from ${cell} from ${table} where rowid = ${row}`;
    if (rows === 0 || (await harness.value(asked)) !== true) continue; // the same value is nothing wrong
    return {
      what: `${table}.${column} of row ${row}, ${how},`,
      table,
      select: `select * replace (case when rowid = ${row} then (${sql}) else ${cell} end as ${cell}) from ${table}`,
      checks,
    };
  }
}

function spoilRow(harness: AuditHarness, chance: Chance): Mutation {
  const inhabited = TABLES.filter(({ name }) => harness.rowsOf(name) > 0);
  const { name: table } = chance.oneOf(inhabited);
  const row = chance.below(harness.rowsOf(table));
  const missing = chance.happens(0.5);
  const rest = missing ? `where rowid <> ${row}` : `union all from ${table} where rowid = ${row}`;
  return {
    what: `row ${row} of ${table}, ${missing ? 'missing' : 'there twice'},`,
    table,
    select: `from ${table} ${rest}`,
    checks: [...new Set(HELD.filter((each) => each.table === table).flatMap(({ checks }) => checks))],
  };
}

function columnOf(table: string, column: string): Column {
  const found = TABLES.find(({ name }) => name === table)?.columns.find(({ name }) => name === column);
  if (found === undefined) throw new Error(`${table} has no ${column}`);
  return found;
}
