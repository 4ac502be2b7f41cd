/**
 * Snapshots of an account on which hundreds of transactions a second move money and close months, beside loads of many
 * rows: every one of them adds up to the cent, and a month that it shows closed has the sum that it was closed with. Read
 * without one moment for all tables, builds are refused or wrong: that is shown each time too.
 */
import type { Client } from 'pg';
import { isCrossfootError } from '../../../src/errors.ts';
import { askDuckDb } from '../../parquet/read-back.ts';
import { faultyClient } from '../../snapshot/builder/faulty-tools.ts';
import {
  AT,
  type Asked,
  type BuildHarness,
  fileOf,
  openBuildHarness,
} from '../../snapshot/builder/real-build.ts';
import { startCluster } from '../../support/cluster.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type WriteStorm, startStorm } from '../write-storm.ts';

const MINUTE = 60_000_000n;
/** Builds without one moment: of so many, one at least is refused or wrong. */
const CONTROL_BUILDS = 3;
/** Beside so many builds, a load meets a closed month for certain. */
const MANY_BUILDS = 20;
const ONE_MOMENT = 'begin isolation level repeatable read read only';
const MANY_MOMENTS = 'begin isolation level read committed read only';

export const storm: Campaign = {
  name: 'storm',
  title: 'builds while money is moved, files are loaded and months are closed as fast as PostgreSQL can',
  rows: ['F-10', 'F-16', 'F-17'],
  unit: 'builds',
  times: { short: 2, long: 100 },
  run: buildInStorm,
};

async function buildInStorm({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const cluster = await startCluster();
  try {
    const harness = await openBuildHarness('template_ledger', cluster);
    try {
      const began = performance.now();
      const storming = await startStorm(harness.database, seed);
      const result = await buildAll(harness, storming, { times, say, signal });
      const seconds = (performance.now() - began) / 1000;
      const { closes, loads } = storming;
      const bad = [...result.bad];
      await storming.stop().catch((error: unknown) => bad.push(violationText('storm', error)));
      const rate = Math.round(storming.committed() / seconds);
      if (loads.refused === 0 && times >= MANY_BUILDS) {
        bad.push('no load met a closed month: the storm is too weak to prove anything');
      }
      return {
        ...result,
        bad,
        figures: {
          ...result.figures,
          'transactions a second': rate,
          closes: closes.length,
          'loads of new rows': loads.new,
          'loads of changed rows': loads.changed,
          'loads of unchanged rows': loads.unchanged,
          'loads refused for a closed month': loads.refused,
        },
      };
    } finally {
      await harness.close();
    }
  } finally {
    await cluster.stop();
  }
}

async function buildAll(
  harness: BuildHarness,
  storming: WriteStorm,
  { times, say, signal }: Pick<CampaignRequest, 'say' | 'signal' | 'times'>,
): Promise<CampaignResult> {
  const bad: string[] = [];
  let done = 0;
  let closed = 0;
  for (; done < times && !signal.aborted; done += 1) {
    try {
      closed += await holdBuild(harness, storming, done);
    } catch (error) {
      bad.push(violationText(`build ${done}`, error));
    }
    if (done % 10 === 9) say(`${done + 1} of ${times}`);
  }
  let seen = 0;
  const connect = (): Promise<Client> => faultyClient(harness.connect, ONE_MOMENT, () => MANY_MOMENTS);
  for (let control = 0; control < CONTROL_BUILDS; control += 1) {
    const wrong = await holdBuild(harness, storming, times + control, { connect }).then(
      () => '',
      (error: unknown) => violationText('control', error),
    );
    // Nothing else counts: a connection that broke would prove nothing.
    if (/audit_refused| cents/.test(wrong)) seen += 1;
  }
  if (seen === 0)
    bad.push('builds that read at many moments came out right: the storm is too weak to prove anything');
  return { done, bad, figures: { 'closed months compared': closed, 'controls refused or wrong': seen } };
}

/** Builds, and throws unless every figure is whole; says how many closed months it showed. */
async function holdBuild(
  harness: BuildHarness,
  { account, cents, closes }: WriteStorm,
  number: number,
  asked: Asked = {},
): Promise<number> {
  const at = AT + BigInt(number) * MINUTE;
  const { outcome } = await harness.build({ ...asked, account_id: account, at }).catch((error: unknown) => {
    if (isCrossfootError(error)) throw new Error(`${error.code}: ${error.message}`, { cause: error });
    throw error;
  });
  if (outcome !== 'published') throw new Error(`it was ${outcome}`);
  const served = await harness.served(account);
  const sum = async (table: string): Promise<bigint> => {
    const [row] = await askDuckDb(
      fileOf(served, table),
      'select sum(amount_cents)::varchar as cents from file',
    );
    return BigInt(textOf(row?.['cents']));
  };
  const [costs, value] = [await sum('costs'), await sum('reported_value')];
  if (costs !== cents.costs) throw new Error(`costs are ${costs} cents and not ${cents.costs}`);
  if (value !== cents.value) throw new Error(`value is ${value} cents and not ${cents.value}`);
  const locked = await askDuckDb(
    fileOf(served, 'costs'),
    `select strftime(period_month, '%Y-%m') as month, sum(amount_cents)::varchar as cents, bool_and(locked) as all_locked
     from file group by all having bool_or(locked)`,
  );
  for (const row of locked) {
    const [month, sumOfMonth] = [textOf(row['month']), textOf(row['cents'])];
    const known = closes.some((close) => close.month === month && String(close.cents) === sumOfMonth);
    if (row['all_locked'] !== true) throw new Error(`${month} is closed in part`);
    if (!known) throw new Error(`${month} was never closed with ${sumOfMonth} cents`);
  }
  return locked.length;
}

function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  throw new Error(`${typeof cell} instead of a text`);
}
