/** Asks every route and tool for records of another account and for records of no account, and compares the answers. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asOwner } from '../../src/run/as-owner.ts';
import { findIssuer, insertToken } from '../../src/ledger/tokens.ts';
import { makeToken, tokenMarks } from '../../src/serve/auth/token.ts';
import type { CampaignRequest, CampaignResult } from '../chaos/campaign.ts';
import { type FixtureDatabase, openFixtureDatabase } from '../fuzz/fixture-database.ts';
import { seeded } from '../fuzz/seeded.ts';
import { OPERATIONS } from '../serve/contract/contract-operations.ts';
import { letBackupRead } from '../support/unguarded-reader.ts';
import { type GuardedApps, openGuardedApps } from './guarded-apps.ts';

const MISSING = 999_999_999_999;
const ACCOUNTS = [1, 2] as const;
const AT_ONCE = 8;
const MAX_BAD = 20;
/** So many of each before a ratio of medians says anything, and how far from one it may be. */
const ENOUGH = 300;
const RATIO = { least: 0.8, most: 1.25 };

const GUARDS = ['both', 'predicates', 'row security'] as const;

type Account = (typeof ACCOUNTS)[number];

interface Question {
  readonly name: string;
  readonly request: (id: number | bigint) => { readonly path: string; readonly init: RequestInit };
}

/** Every route and filter that takes the id of an initiative, and every tool that does. */
function questions(): readonly [Question, ...Question[]] {
  const routes = OPERATIONS.flatMap(({ path, asked, query }): Question[] => [
    ...(path === '/initiatives/{id}'
      ? [{ name: path, request: (id: number | bigint) => ({ path: `/v1/initiatives/${id}`, init: {} }) }]
      : []),
    ...(query.some(({ name }) => name === 'initiative_id')
      ? [
          {
            name: `${path}?initiative_id`,
            request: (id: number | bigint) => ({ path: `${asked}?initiative_id=${id}`, init: {} }),
          },
        ]
      : []),
  ]);
  const tools = ['get_initiative', 'get_roi_summary'].map((name) => ({
    name,
    request: (id: number | bigint) => ({ path: '/mcp', init: calling(name, { initiative_id: Number(id) }) }),
  }));
  const [first, ...others] = [...routes, ...tools];
  if (first === undefined) throw new Error('no route takes an id');
  return [first, ...others];
}

function calling(name: string, asked: object): RequestInit {
  return {
    method: 'POST',
    headers: {
      host: 'localhost',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: asked } }),
  };
}

/** Compares so many pairs of answers, and says how long each kind took. */
export async function runTenancy({ seed, times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'crossfoot-tenancy-')));
  let database: FixtureDatabase | undefined;
  try {
    database = await openFixtureDatabase(root);
    await asOwner({ ownerUrl: database.logins.cf_owner }, 'crossfoot tenancy', letBackupRead);
    await using guarded = openGuardedApps(database);
    const known = await readKnown(database);
    return await compare(guarded, known, { seed, times, say, signal });
  } finally {
    await database?.stop();
    await rm(root, { recursive: true, force: true });
  }
}

interface Known {
  readonly tokens: Readonly<Record<Account, string>>;
  /** The id of no account; it differs from that of account 1 in its last digits only. */
  readonly unknown: string;
  /** An initiative of each. */
  readonly ids: Readonly<Record<Account, bigint>>;
}

async function readKnown({ logins }: FixtureDatabase): Promise<Known> {
  return asOwner({ ownerUrl: logins.cf_owner }, 'crossfoot tenancy', async (owner) => {
    const random = randomBytes(32);
    const of = async (account: Account): Promise<readonly [string, bigint]> => {
      const issued_by_id = (await findIssuer(owner, BigInt(account))) ?? 0n;
      const token = makeToken('personal', account === 1 ? random : randomBytes(32));
      const named = { account_id: BigInt(account), kind: 'personal', name: 'tenancy', issued_by_id } as const;
      await insertToken(owner, { ...named, ...tokenMarks(token) });
      const { rows } = await owner.query<{ id: bigint }>(
        'select min(id) as id from ledger.initiatives where account_id = $1 and not is_sample',
        [account],
      );
      return [token, rows[0]?.id ?? 0n];
    };
    const [[one, first], [two, second]] = [await of(1), await of(2)];
    random[31] = (random[31] ?? 0) ^ 1;
    return {
      tokens: { 1: one, 2: two },
      unknown: makeToken('personal', random),
      ids: { 1: first, 2: second },
    };
  });
}

/** The answer, and how long it took. */
async function timed(into: number[], run: () => Promise<string>): Promise<string> {
  const from = performance.now();
  const answer = await run();
  into.push(performance.now() - from);
  return answer;
}

async function compare(
  { apps }: GuardedApps,
  { tokens, unknown, ids }: Known,
  { seed, times, say, signal }: CampaignRequest,
): Promise<CampaignResult> {
  const asked = questions();
  const choose = seeded(seed);
  const bad: string[] = [];
  const took = {
    foreign: [] as number[],
    missing: [] as number[],
    unknown: [] as number[],
    far: [] as number[],
  };
  const seen = async (
    app: keyof typeof apps,
    question: Question,
    id: number | bigint,
    token: string,
  ): Promise<string> => {
    const { path, init } = question.request(id);
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token}`);
    const response = await apps[app].request(path, { ...init, headers });
    const kept = [...response.headers].filter(([name]) => !/^x-request-id$|^ratelimit/.test(name));
    return JSON.stringify([response.status, kept, await response.text()]);
  };
  // 1. What is whose, by many at once through one session: the answers of both guards are those of each alone.
  let done = 0;
  const mixed = async (): Promise<void> => {
    while (done < times && bad.length < MAX_BAD && !signal.aborted) {
      done += 1;
      if (done % 1_000 === 0) say(`${done} of ${times}, ${bad.length} bad`);
      const question = choose.pick(asked);
      const account = choose.pick([...ACCOUNTS]);
      const app = choose.pick(GUARDS);
      const other = account === 1 ? 2 : 1;
      const [foreign, missing, own] = [
        await seen(app, question, ids[other], tokens[account]),
        await seen(app, question, MISSING, tokens[account]),
        choose.percent(10) ? await seen(app, question, ids[account], tokens[account]) : '',
      ];
      const where = `seed ${seed}: ${question.name} as account ${account}, by ${app}`;
      if (foreign !== missing) bad.push(`${where}: foreign and missing differ`);
      if (own === missing) bad.push(`${where}: its own is missing`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, mixed));

  // 2. How long each takes, one after the other and in turns, so that what else the machine does falls on both.
  for (let turn = 0; turn < Math.min(times, 2_000) && !signal.aborted; turn += 1) {
    const question = asked[turn % asked.length] ?? asked[0];
    await timed(took.foreign, () => seen('both', question, ids[2], tokens[1]));
    await timed(took.missing, () => seen('both', question, MISSING, tokens[1]));
    await timed(took.unknown, () => seen('both', question, MISSING, unknown));
    await timed(took.far, () => seen('both', question, MISSING, makeToken('personal', randomBytes(32))));
  }
  const ratios = {
    foreign_to_missing: median(took.foreign) / median(took.missing),
    near_to_far_token: median(took.unknown) / median(took.far),
  };
  for (const [name, ratio] of Object.entries(ratios)) {
    const tells = took.far.length >= ENOUGH && (ratio < RATIO.least || ratio > RATIO.most);
    if (tells) bad.push(`seed ${seed}: ${name} is ${ratio.toFixed(2)}: the time tells`);
  }
  return { done, bad, figures: { ...ratios, timed: took.far.length, questions: asked.length } };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}
