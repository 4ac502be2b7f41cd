/**
 * What may happen to a build's connection and to its PostgreSQL: cut, reset or silent after any byte, the session ended,
 * the server stopped at once in any step, a wrong password, no connection left. The build fails or is whole, publishes
 * nothing that is neither, leaves no spool and no session; afterwards this account and another one are built.
 */
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isCrossfootError } from '../../../src/errors.ts';
import { openClient } from '../../../src/ledger/connect.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type CutHarness, openCutHarness } from '../cut-harness.ts';

/** How often of ten each of them. */
const KINDS = ['cut', 'reset', 'cut', 'ended', 'cut', 'silence', 'cut', 'stopped', 'cut', 'refused'] as const;
type Kind = (typeof KINDS)[number];
/** Fourteen tables and the audit. */
const STEPS = 15;
/** After so many faults both accounts are built: they cost as much as the faults. */
const FAULTS_A_BUILD = 5;
const POLL_MS = 20;
const SESSIONS_LEAVE_MS = 10_000;

export const databaseCuts: Campaign = {
  name: 'database-cuts',
  title: 'the connection of a build cut at any byte, its PostgreSQL stopped in any step',
  rows: ['F-5', 'F-6', 'F-7', 'F-8', 'F-9'],
  unit: 'builds',
  times: { short: 10, long: 350 },
  run: cutAll,
};

async function cutAll({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const chance = chanceOf(seed);
  const bad: string[] = [];
  const figures: Record<string, number> = {};
  await using cuts = await openCutHarness();
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const fault: Fault = {
      kind: KINDS[done % KINDS.length] ?? 'cut',
      byte: 1 + chance.below(cuts.bytes),
      step: chance.below(STEPS),
      number: 1 + 2 * done,
    };
    try {
      await holdFault(cuts, fault, chance);
      if (done % FAULTS_A_BUILD === FAULTS_A_BUILD - 1) await holdNext(cuts, fault.number + 1);
      figures[fault.kind] = (figures[fault.kind] ?? 0) + 1;
    } catch (error) {
      bad.push(violationText(JSON.stringify(fault), error));
    }
    if (done % 10 === 9) say(`${done + 1} of ${times}`);
  }
  return { done, bad, figures: { 'bytes of a build': cuts.bytes, ...figures } };
}

interface Fault {
  readonly kind: Kind;
  readonly byte: number;
  readonly step: number;
  readonly number: number;
}

async function holdFault(cuts: CutHarness, fault: Fault, chance: Chance): Promise<void> {
  const before = (await cuts.harness.served())?.snapshot_id;
  const built = await meet(cuts, fault, chance);
  const after = (await cuts.harness.served())?.snapshot_id;
  if (after !== (built ?? before))
    throw new Error(`${after} is served after ${before}, and ${built} was built`);
  const left = await readdir(cuts.harness.spool);
  if (left.length > 0) throw new Error(`${left.length} spools were left`);
  await holdNoSession(cuts);
}

/** The id of the snapshot, when the fault came too late to keep it from being published. */
async function meet(cuts: CutHarness, fault: Fault, chance: Chance): Promise<string | null> {
  const { kind, byte, step, number } = fault;
  switch (kind) {
    case 'cut':
    case 'reset':
    case 'silence':
      return await outcomeOf(cuts.build(number, { afterBytes: byte, ending: kind }));
    case 'ended': {
      const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'crossfoot build'`;
      return await atStep(cuts, fault, () => cuts.admin(end));
    }
    case 'stopped': {
      const built = await atStep(cuts, { step, number }, () => cuts.cluster.crash());
      await cuts.cluster.restart();
      return built;
    }
    case 'refused':
      return await (chance.happens(0.5) ? withoutConnections(cuts, number) : withWrongPassword(cuts, number));
  }
}

/** Builds, and acts once so many steps were told. */
async function atStep(
  cuts: CutHarness,
  { step, number }: Pick<Fault, 'number' | 'step'>,
  act: () => Promise<unknown>,
): Promise<string | null> {
  let told = 0;
  let acting: Promise<unknown> = Promise.resolve();
  const onEvent = (): void => {
    if (told === step) acting = act();
    told += 1;
  };
  const built = await outcomeOf(cuts.build(number, null, { onEvent }));
  await acting;
  return built;
}

async function withWrongPassword(cuts: CutHarness, number: number): Promise<string | null> {
  const url = cuts.url();
  url.password = 'wrong';
  const options = { url: url.href, role: 'cf_reader', applicationName: 'crossfoot build' };
  const connect = () => openClient({ ...options, onError: () => undefined });
  return await refused(cuts.build(number, null, { connect }));
}

async function withoutConnections(cuts: CutHarness, number: number): Promise<string | null> {
  await cuts.admin('alter role cf_reader connection limit 0');
  try {
    return await refused(cuts.build(number));
  } finally {
    await cuts.admin('alter role cf_reader connection limit -1');
  }
}

async function refused(building: Promise<unknown>): Promise<null> {
  const error: unknown = await building.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (isCrossfootError(error, 'database_unreachable')) return null;
  throw new Error('a build that may not connect does not say so', { cause: error });
}

async function outcomeOf(building: Promise<{ readonly snapshot_id: string }>): Promise<string | null> {
  try {
    return (await building).snapshot_id;
  } catch (error) {
    if (error instanceof Error && error.message !== '') return null;
    throw new Error('the build failed without a word', { cause: error });
  }
}

async function holdNoSession(cuts: CutHarness): Promise<void> {
  const sessions = `select from pg_stat_activity where application_name = 'crossfoot build'`;
  for (let waited = 0; (await cuts.admin(sessions)) > 0; waited += POLL_MS) {
    if (waited > SESSIONS_LEAVE_MS) throw new Error('a session was left');
    await sleep(POLL_MS);
  }
}

async function holdNext(cuts: CutHarness, number: number): Promise<void> {
  for (const account_id of [1n, 2n]) {
    const { outcome } = await cuts.build(number, null, { account_id });
    if (outcome !== 'published') throw new Error(`the next build of account ${account_id} was ${outcome}`);
  }
}
