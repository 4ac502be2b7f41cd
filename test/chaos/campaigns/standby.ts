/**
 * The ledger that builds read is a standby. It gives the same files as its primary; where it breaks a build off because
 * that is in the way of what it replays, the build says so, publishes nothing, and the next one publishes; and it is
 * refused by every list, because it does not know who still writes on the primary.
 */
import { asAccount } from '../../../src/ledger/account-session.ts';
import { isCrossfootError } from '../../../src/errors.ts';
import { RESOURCES } from '../../../src/serve/resources/all.ts';
import { TABLES } from '../../../src/tables/all.ts';
import { TOKENS, bearer, fakeApp } from '../../serve/fake-parts.ts';
import { pausedClient } from '../../snapshot/builder/faulty-tools.ts';
import { violationText } from '../violation-text.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { asleepClient } from '../asleep-client.ts';
import { openStandbyHarness, type StandbyHarness } from '../standby-harness.ts';

/** What the primary does that conflicts with readers of the standby, and how the standby names the conflict. */
const CONFLICTS = {
  lock: {
    statements: [
      'begin',
      'lock table ledger.cost_entries in access exclusive mode',
      'select pg_current_xact_id()',
      'commit',
    ],
    called: 'relation lock',
  },
  vacuum: {
    // Rows of any table: a snapshot that could have seen them is in the way of their removal.
    statements: [
      'insert into public.dust select generate_series(1, 1000)',
      'delete from public.dust',
      'vacuum public.dust',
    ],
    called: 'row versions that must be removed',
  },
} as const;
type Conflict = keyof typeof CONFLICTS;

/** Where in a build: between two statements, in one, and in the COPY of a table. */
const PLACES = { between: '', 'in a statement': 'close_pins_since', 'in a copy': 'copy (' } as const;
type Place = keyof typeof PLACES;

const KINDS: readonly (readonly [Conflict, Place])[] = [
  ['lock', 'between'],
  ['vacuum', 'in a copy'],
  ['lock', 'in a statement'],
  ['vacuum', 'between'],
  ['lock', 'in a copy'],
  ['vacuum', 'in a statement'],
];

export const standby: Campaign = {
  name: 'standby',
  title: 'builds that read a real standby, and what it replays against them',
  rows: ['F-11'],
  unit: 'conflicts',
  times: { short: 2, long: 5 * KINDS.length },
  run: readStandby,
};

async function readStandby({ times, say, signal }: CampaignRequest): Promise<CampaignResult> {
  const bad: string[] = [];
  const figures: Record<string, number> = {};
  await using harness = await openStandbyHarness();
  await harness.onPrimary(['create table public.dust (n integer)']);
  await holdLists(harness).catch((error: unknown) => bad.push(violationText('lists', error)));
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const [conflict, place] = KINDS[done % KINDS.length] ?? ['lock', 'between'];
    const name = `${conflict} ${place}`;
    try {
      await holdConflict(harness, { conflict, place, number: 1 + 2 * done });
      await holdAlike(harness, 2 + 2 * done);
      figures[name] = (figures[name] ?? 0) + 1;
    } catch (error) {
      bad.push(violationText(name, error));
    }
    if (done % 6 === 5) say(`${done + 1} of ${times}`);
  }
  return { done, bad, figures };
}

interface Meeting {
  readonly conflict: Conflict;
  readonly place: Place;
  readonly number: number;
}

async function holdConflict(harness: StandbyHarness, { conflict, place, number }: Meeting): Promise<void> {
  const { statements, called } = CONFLICTS[conflict];
  const before = (await harness.harness.served(1n, harness.store))?.snapshot_id;
  const collide = async (): Promise<void> => {
    await harness.onPrimary(statements);
    await harness.untilBrokenOff();
  };
  let colliding: Promise<void> | undefined;
  const connect = () => {
    if (place === 'between') return pausedClient(harness.connect, 'pg_export_snapshot', collide);
    return asleepClient(harness.connect, PLACES[place], () => {
      colliding ??= harness.untilAsleep().then(collide);
      colliding.catch(() => undefined); // heard of below
    });
  };
  const error: unknown = await harness.build(number, { connect }).then(
    ({ outcome }) => new Error(`the build was ${outcome}`),
    (cause: unknown) => cause,
  );
  await colliding;
  if (!isCrossfootError(error, 'standby_conflict') || !error.message.includes(called)) {
    throw new Error(`the build does not name the conflict: ${String(error)}`, { cause: error });
  }
  const after = (await harness.harness.served(1n, harness.store))?.snapshot_id;
  if (after !== before) throw new Error(`${after} is served after ${before}, and the build failed`);
}

/** Tries again, and holds what is published to what the primary gives of the same moment. */
async function holdAlike(harness: StandbyHarness, number: number): Promise<void> {
  const { outcome } = await harness.build(number);
  if (outcome !== 'published') throw new Error(`the next build was ${outcome}`);
  const beside = await harness.harness.emptyStore();
  await harness.buildBeside(number, beside);
  const [ours, theirs] = [
    await harness.harness.served(1n, harness.store),
    await harness.harness.served(1n, beside),
  ];
  if (ours?.changes_from !== null) throw new Error('a standby cannot know from when to continue');
  const unlike = TABLES.filter(
    ({ name }) => !ours.bytes.get(name)?.equals(theirs?.bytes.get(name) ?? Buffer.of()),
  );
  if (unlike.length > 0)
    throw new Error(`the primary gives other files: ${unlike.map(({ name }) => name).join()}`);
}

async function holdLists({ pool }: StandbyHarness): Promise<void> {
  const { app } = fakeApp({
    inAccount: (session, run) => asAccount(pool, { ...session, account_id: 1n }, run),
  });
  for (const { name } of RESOURCES) {
    const { status } = await app.request(`/v1/${name}`, bearer(TOKENS.personal));
    if (status !== 503) throw new Error(`the list ${name} answers ${status} from a standby`);
  }
}
