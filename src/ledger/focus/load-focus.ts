/** `load --focus`: loads bills in the format of FOCUS, by the same merge as any other file. */
import type { Client } from 'pg';
import { CrossfootError, isCrossfootError } from '../../errors.ts';
import type { CsvRow } from '../staging/row.ts';
import { type LoadFault, collectFaults } from '../staging/faults.ts';
import { divideRounded } from '../../figures/cents.ts';
import { controlOf, type LoadRequest, load } from '../load/load.ts';
import { requireExpected, type TiedFile } from '../load/tie-out.ts';
import type { LoadedTable } from '../load/write.ts';
import { type LoadFolder, findForeignFiles } from '../sources/inputs.ts';
import type { ReadFile } from '../sources/reading.ts';
import { type Bill, billRef, connectionRef } from './charge.ts';
import {
  type FocusLedger,
  addPlatform,
  deleteReplaced,
  linkKey,
  newLinkIds,
  readFocusLedger,
} from './ledger-state.ts';
import { UNITS_PER_CENT } from './decimals.ts';
import { readMapping } from './mapping.ts';
import { refusePlaced } from './place-faults.ts';
import { type FocusPlan, initiativeOf, planRows, rowsOfPlan } from './plan.ts';
import { inCents } from './bill-cents.ts';
import { type FocusSums, readFocusFiles } from './read-files.ts';
import { openUsage, writeUsage } from './usage-rows.ts';
import { sumUsage } from './usage-sums.ts';

const DEFAULT_SOURCE = 'focus';

export interface FocusRequest extends Pick<
  LoadRequest,
  'url' | 'paths' | 'dryRun' | 'source' | 'onProgress' | 'encoding' | 'ignore' | 'onNote' | 'expect'
> {
  readonly account: bigint;
  /** The mapping file. */
  readonly map?: string;
  /** True if files of different folders are parts of one export, though they have charges for the same times. */
  readonly parts?: boolean;
  /** True for a snapshot of this account: its export holds costs that the ledger has already. */
  readonly isOwnSnapshot: (snapshot_id: string) => Promise<boolean>;
}

export interface LoadedFocus {
  /** Each file that was read, with its digest. */
  readonly files: readonly ReadFile[];
  readonly sums: FocusSums;
  /** The rules of the mapping that no charge matches. */
  readonly unmatched: readonly string[];
  readonly bills: readonly Bill<bigint>[];
  readonly plan: FocusPlan;
  readonly ledger: FocusLedger;
  /** The id of the account's snapshot whose export the files are, in a dry run; null for files that are no such export. */
  readonly ownSnapshot: string | null;
  readonly loaded: readonly LoadedTable[];
}

/**
 * Loads the files. Throws `load_rejected` with the faults of the files, `usage_invalid` for an export of the same account.
 */
export async function loadFocus(request: FocusRequest): Promise<LoadedFocus> {
  const { account, paths, url, dryRun = false, source = DEFAULT_SOURCE, onProgress } = request;
  const mapping = await readMapping(request.map);
  const faults = collectFaults();
  const read: ReadFile[] = [];
  const onFile = (file: ReadFile): void => void read.push(file);
  const files = await findForeignFiles(paths, { ...request, onFile }, request.map);
  const made: { sums?: FocusSums; bills?: readonly Bill<bigint>[]; plan?: FocusPlan; ledger?: FocusLedger } =
    {};
  let ownSnapshot: string | null = null;
  const makeRows = async (client: Client): Promise<LoadFolder> => {
    const usage = sumUsage(await openUsage(client));
    const sums = await readFocusFiles(files, { mapping, faults, areParts: request.parts === true, usage });
    faults.refuse();
    requireSums(sums, request);
    ownSnapshot = await ownSnapshotOf(sums, request);
    if (ownSnapshot !== null && !dryRun) {
      throw new CrossfootError(
        'usage_invalid',
        `The files are an export of account ${account} itself, its snapshot ${ownSnapshot}; nothing was loaded.`,
        { hint: 'The ledger has these costs already. Load the bills of providers.' },
      );
    }
    const bills = inCents(sums);
    const titles = new Set(
      bills.flatMap(({ parts }) => [...parts.values()].flatMap(({ claim }) => claim?.title ?? [])),
    );
    const ledger = await readFocusLedger(client, account, source, [...titles]);
    refuseUnknown(bills, ledger);
    const plan = planRows(bills, ledger);
    Object.assign(made, { sums, bills, plan, ledger });
    await addPlatform(client);
    return await replaceRows(client, { account, source, plan, ledger });
  };
  const afterRows = async (client: Client): Promise<void> => {
    const { sums, plan, ledger } = made;
    if (sums === undefined || plan === undefined || ledger === undefined) return;
    const bills = new Map(
      plan.bills.map((bill) => [billRef(bill), sums.bills.get(billRef(bill))?.total ?? 0n]),
    );
    await writeUsage(client, { account, source, bills, ledger });
  };
  const loaded = await load({
    url,
    paths: [],
    mode: 'upsert',
    source,
    account,
    dryRun,
    makeRows,
    afterRows,
    filesBefore: read,
    ...(onProgress && { onProgress }),
    onNote: request.onNote,
  }).catch((error: unknown) => {
    if (made.plan !== undefined && isCrossfootError(error, 'load_rejected'))
      refusePlaced(error.data['faults'] as LoadFault[], made.plan); // Its only data.
    throw error;
  });
  const { sums, bills, plan, ledger } = made;
  if (sums === undefined || bills === undefined || plan === undefined || ledger === undefined)
    throw new TypeError('load() made no rows');
  const deleted = plan.replaced.length;
  // The ledger's rows of other bills, and those that the application wrote, do not count as missing.
  const own = loaded.map((table) => ({
    ...table,
    missing: 0,
    missingKeys: [],
    deleted: table.table === 'cost_entries' ? deleted : table.deleted,
  }));
  return { files: read, sums, unmatched: mapping.unmatched(), bills, plan, ledger, ownSnapshot, loaded: own };
}

/** Throws if the files do not hold what their control lines and `--expect` say. */
function requireSums(sums: FocusSums, { expect }: FocusRequest): void {
  for (const [{ shown, control }, { charges, units }] of sums.files) {
    if (control === null) continue;
    const file = { file: shown, rows: charges, sums: inWholeCents(units) };
    requireExpected(`${shown}.control`, [file], controlOf(shown, control));
  }
  if (expect) requireExpected('--expect', [billedOf(sums)], expect);
}

/** All charges of the files, with what was billed by currency, rounded once. */
function billedOf({ totals, bills }: FocusSums): TiedFile {
  const units = new Map<string, bigint>();
  for (const [period, total] of totals) {
    const currency = period.slice(-3);
    units.set(currency, (units.get(currency) ?? 0n) + total);
  }
  const rows = [...bills.values()]
    .flatMap(({ parts }) => [...parts.values()])
    .reduce((sum, { charges }) => sum + charges, 0);
  return { file: 'the bills', rows, sums: inWholeCents(units) };
}

/** Sums by currency, each rounded once. */
function inWholeCents(units: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> {
  return new Map([...units].map(([currency, total]) => [currency, divideRounded(total, UNITS_PER_CENT)]));
}

/** The snapshot of this account that the files hold; null if they hold none. */
async function ownSnapshotOf(
  { exports }: FocusSums,
  { account, isOwnSnapshot }: FocusRequest,
): Promise<string | null> {
  for (const [snapshot_id, billingAccount] of exports) {
    if (billingAccount === `crossfoot-account-${account}` && (await isOwnSnapshot(snapshot_id)))
      return snapshot_id;
  }
  return null;
}

/** Throws if a rule of the mapping names no initiative, or several. A tag may: engineers set tags for many purposes. */
function refuseUnknown(bills: readonly Bill<bigint>[], ledger: FocusLedger): void {
  for (const { parts } of bills) {
    for (const { claim } of parts.values()) {
      if (claim?.by !== 'mapping' || initiativeOf(claim, ledger) !== null) continue;
      const found = ledger.initiatives.get(claim.title)?.length ?? 0;
      throw new CrossfootError(
        'usage_invalid',
        `The mapping names the initiative ${JSON.stringify(claim.title)}, and the account has ${found} of that title; nothing was loaded.`,
        { hint: 'Name an initiative by a title that only one initiative of the account has.' },
      );
    }
  }
}

interface Replacing {
  readonly account: bigint;
  readonly source: string;
  readonly plan: FocusPlan;
  readonly ledger: FocusLedger;
}

/** Deletes the rows that the export no longer has, and returns the planned rows in the form of files to load. */
async function replaceRows(
  client: Client,
  { account, source, plan, ledger }: Replacing,
): Promise<LoadFolder> {
  const bills = plan.bills.map((bill) =>
    JSON.stringify([bill.provider, bill.billingAccount, bill.month, bill.currency]),
  );
  const refs = plan.shares.map(({ ref }) => ref);
  await deleteReplaced(client, account, source, { entries: plan.replaced, bills }, refs);
  const unlinked = new Map(
    plan.shares.map(({ bill, initiative }) => [
      linkKey(connectionRef(bill), initiative),
      [connectionRef(bill), initiative] as const,
    ]),
  );
  const missing = [...unlinked].filter(([key]) => !ledger.links.has(key)).map(([, link]) => link);
  const ids = await newLinkIds(client, missing.length);
  const links = missing.map(
    ([connection, initiative], index) => [ids[index] ?? 0n, connection, initiative] as const,
  );
  const tables = rowsOfPlan(plan, links, ledger);
  return {
    names: [...tables.keys()].map((table) => `${table}.csv`),
    twice: [],
    pages: { files: new Map(), faults: [] },
    shown: (name) => name,
    rows: (name) => generated(tables.get(name.slice(0, -'.csv'.length)) ?? []),
  };
}

// oxlint-disable-next-line require-await -- the files of a load are read asynchronously
async function* generated(rows: readonly CsvRow['cells'][]): AsyncGenerator<CsvRow> {
  for (const [index, cells] of rows.entries()) yield { line: index + 1, cells };
}
