/** The validator of the FOCUS project, on the files of the demo company and of a generated ledger. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChecksBeside } from '../../src/run/builders/build-account.ts';
import { FOCUS_SET } from '../../src/tables/focus.ts';
import { AT, type BuildHarness, openBuildHarness } from '../snapshot/builder/real-build.ts';
import { readerAt } from '../snapshot/builder/build-harness.ts';
import { memoryStore } from '../store/memory-store.ts';
import { seedAccount } from '../../tools/seed/seed-account.ts';

const ARTICLE = readFileSync(new URL('../../docs/articles/finops-tool.md', import.meta.url), 'utf8');
const GENERATED = { rows: 20_000, initiatives: 200, years: 3, inputs: 0, seed: 1n };
/** Providers that name billing accounts: the one optional feature of FOCUS that the file has. */
const OPTIONS = [
  '--validate-version',
  '1.2',
  '--block-download',
  '--applicability-criteria',
  'ACCOUNT_NAMING_SUPPORTED',
];

let harness: BuildHarness;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossfoot-focus-'));
  harness = await openBuildHarness();
  await writeFiles('company', 1n);
  const owner = await harness.database.client('cf_owner');
  await writeFiles('generated', await seedAccount(owner, GENERATED, () => undefined));
});
afterAll(async () => {
  await harness?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function writeFiles(name: string, account_id: bigint): Promise<void> {
  const store = memoryStore(new Map());
  await harness.build({ store, account_id, checksBeside: await readChecksBeside([FOCUS_SET]) });
  const reader = readerAt(store, () => AT);
  const id = (await reader.latest(account_id))?.snapshot_id ?? '';
  const parquet = await reader.openTable(account_id, id, 'focus');
  const csv = await reader.openCsv(account_id, id, 'focus', { forSpreadsheets: false });
  for (const [ending, bytes] of [
    ['parquet', parquet],
    ['csv', csv],
  ] as const) {
    writeFileSync(join(folder, `${name}.${ending}`), Buffer.from(await new Response(bytes).arrayBuffer()));
  }
}

interface Verdict {
  readonly passed: number;
  readonly failed: readonly string[];
}

function validate(file: string): Verdict {
  const { stdout, stderr } = spawnSync(
    process.env['FOCUS_VALIDATOR'] ?? '',
    ['--data-file', join(folder, file), ...OPTIONS],
    { cwd: process.env['FOCUS_VALIDATOR_FOLDER'], encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const passed = /^Total: \d+ \| Pass: (\d+) \|/m.exec(stdout)?.[1];
  if (passed === undefined) throw new Error(stderr);
  const failed = [...stdout.matchAll(/^\S+ (\S+): FAIL /gm)].map(([, rule = '']) => rule);
  return { passed: Number(passed), failed: failed.toSorted() };
}

/** The rules that the article lists as faults of the validator, and those that only sum these up. */
const LISTED = [...ARTICLE.matchAll(/^\| `([A-Za-z]+-C-\d{3}-[MCO])` \|/gm)].map(([, rule = '']) => rule);
const isListed = (rule: string): boolean =>
  LISTED.includes(rule) ||
  (rule.endsWith('-C-000-M') && LISTED.some((each) => each.startsWith(rule.slice(0, -'000-M'.length))));

describe('focus-validator', () => {
  it.each(['company.parquet', 'company.csv', 'generated.parquet', 'generated.csv'])(
    'finds no fault in %s but those of its own that the article lists',
    (file) => {
      const { passed, failed } = validate(file);
      expect(failed.filter((rule) => !isListed(rule))).toEqual([]);
      expect(passed).toBeGreaterThan(120);
    },
  );

  it('fails every listed rule on some file: none is listed in vain', () => {
    const failed = new Set(['company.parquet', 'generated.parquet'].flatMap((file) => validate(file).failed));
    expect(LISTED.filter((rule) => !failed.has(rule))).toEqual([]);
  });

  it('finds a missing column and a category that FOCUS does not know', () => {
    const text = readFileSync(join(folder, 'company.csv'), 'utf8');
    writeFileSync(join(folder, 'renamed.csv'), text.replace('ServiceName', 'x_ServiceName'));
    expect(validate('renamed.csv').failed).toContain('CostAndUsage-D-041-M');
    writeFileSync(
      join(folder, 'strange.csv'),
      text.replaceAll(',Credit,', ',Discount,').replaceAll(',Usage,', ',Gift,'),
    );
    expect(validate('strange.csv').failed).toContain('ChargeCategory-C-003-M');
  });
});
