/** Stored files that rot: no route serves a wrong byte in a clean answer, and a scrub finds every one. */
import type { AuditedBuild } from '../../../src/snapshot/builder/publish.ts';
import { BLOCK_BYTES } from '../../../src/snapshot/format/digest.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { scrubNow } from '../../snapshot/keep/scrub-harness.ts';
import { type AskedRoutes, openRoutes } from '../asked-routes.ts';
import { auditOnce, tableOf } from '../audited-files.ts';
import type { Campaign, CampaignRequest, CampaignResult } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { spoilFile, type Spoiled } from '../damage/spoil-file.ts';
import { NIGHT, type StoredNights, storeNights } from '../builds/stored-nights.ts';

const ACCOUNT = 7n;
const DAY = 86_400_000_000n;
/** Two blocks: what is wrong in the second breaks off an answer that has begun well. */
const LONG_BYTES = 1_048_576 + 3_000;
const MANIFEST = 'manifest.json';

export const flipsCampaign: Campaign = {
  name: 'flips',
  title:
    'stored files of a real build (and costs made two blocks long) flipped, cut, zeroed, swapped, longer and missing, asked for whole and in ranges through the real routes, and scrubbed',
  rows: ['F-39', 'F-40'],
  unit: 'files',
  times: { short: 200, long: 10_000 },
  run: async (request) => await spoilFiles(await auditOnce(), request),
};

/** Spoils one file after the other of a snapshot that has these. */
export async function spoilFiles(
  { tables, files }: Pick<AuditedBuild, 'tables' | 'files'>,
  { seed, times, say, signal }: CampaignRequest,
): Promise<CampaignResult> {
  const long = await tableOf('costs', 1, longBytes(chanceOf(seed)));
  const stored = await storeNights(ACCOUNT, 1, {
    tables: tables.map((table) => (table.name === 'costs' ? long : table)),
    files,
  });
  const routes = openRoutes();
  const bad: string[] = [];
  const figures: Record<string, number> = { refused: 0, broken_off: 0, right: 0, found: 0 };
  let done = 0;
  for (; done < times && !signal.aborted; done += 1) {
    const again = ` (again: --only flips --times 1 --seed ${seed + done})`;
    const found = await spoilOne(stored, routes, chanceOf(seed + done), figures);
    bad.push(...found.map((sentence) => sentence + again));
    if (done % 1_000 === 999) say(`${done + 1} of ${times}, ${bad.length} bad`);
  }
  return { done, bad, figures };
}

/** No two pieces of it alike. */
function longBytes(chance: Chance): Buffer {
  const bytes = Buffer.alloc(LONG_BYTES);
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(chance.below(2 ** 32), at);
  return bytes;
}

async function spoilOne(
  stored: StoredNights,
  routes: AskedRoutes,
  chance: Chance,
  figures: Record<string, number>,
): Promise<readonly string[]> {
  const { prefix } = stored.nights[0] ?? { prefix: '' };
  const files = [...stored.objects.keys()].filter((key) => key.startsWith(prefix));
  // The file of several blocks as often as all others together.
  const key = chance.happens(0.4) ? `${prefix}/costs.parquet` : chance.oneOf(files);
  const sound = stored.objects.get(key) ?? Buffer.alloc(0);
  const others = files.filter((each) => each !== key && stored.objects.get(each)?.length !== sound.length);
  const spoiled = spoilFile(sound, stored.objects.get(chance.oneOf(others)) ?? Buffer.alloc(0), chance);
  const objects = new Map(stored.objects);
  if (spoiled.bytes === null) objects.delete(key);
  else objects.set(key, spoiled.bytes);
  const name = key.slice(prefix.length + 1);
  figures[spoiled.how] = (figures[spoiled.how] ?? 0) + 1;
  routes.standOn(memoryStore(objects));
  const bad = [
    ...(await askFor(name, spoiled, stored, routes, chance, figures)),
    ...(await scrubbed(name, spoiled, objects, figures)),
  ];
  return bad.map((sentence) => `${name}, ${spoiled.how} at ${spoiled.at}: ${sentence}`);
}

/** Whole, and the part that is wrong; an answer that is clean has the bytes that were audited. */
async function askFor(
  name: string,
  { at, how }: Spoiled,
  { objects, nights }: StoredNights,
  { ask }: AskedRoutes,
  chance: Chance,
  figures: Record<string, number>,
): Promise<readonly string[]> {
  const { prefix, snapshot_id } = nights[0] ?? { prefix: '', snapshot_id: '' };
  const table = /^(.*)\.(?:parquet|blocks)$/.exec(name)?.[1];
  // The list of a file of one block is read by a scrub alone: the manifest states the file's own digest.
  const unread =
    name.endsWith('.blocks') && (objects.get(`${prefix}/${table}.parquet`)?.length ?? 0) <= BLOCK_BYTES;
  // What is wrong with a manifest concerns every file it names.
  const file = table === undefined ? (name === MANIFEST ? 'costs.parquet' : name) : `${table}.parquet`;
  const sound = Buffer.from(objects.get(`${prefix}/${file}`) ?? []);
  const bad: string[] = [];
  for (const above of ['latest', `snapshots/${snapshot_id}`]) {
    if (!file.endsWith('.parquet') && above === 'latest') continue;
    const from = Math.max(0, Math.min(at, sound.length - 1) - chance.below(2_000));
    const to = Math.min(sound.length - 1, from + 1 + chance.below(4_000));
    const ranges = [
      [0, sound.length - 1, undefined],
      [from, to, `bytes=${from}-${to}`],
    ] as const;
    for (const [first, last, range] of file.endsWith('.parquet') ? ranges : ranges.slice(0, 1)) {
      const path = file.endsWith('.parquet') ? file : `files/${file}`;
      const heard = await ask(`/v1/reporting/${above}/${path}`, range);
      const clean = (heard.status === 200 || heard.status === 206) && !heard.cut;
      const outcome = clean ? 'right' : heard.cut ? 'broken_off' : 'refused';
      figures[outcome] = (figures[outcome] ?? 0) + 1;
      const part = sound.subarray(first, last + 1);
      const wanted = heard.status === 200 ? sound : part;
      if (clean && !heard.body.equals(wanted)) bad.push(`a clean ${heard.status} with other bytes`);
      if (heard.cut && !wanted.subarray(0, heard.body.length).equals(heard.body)) {
        bad.push('a wrong byte came before the answer broke off');
      }
      // A file that only grew is right as far as it was audited; everything else that was asked for whole is wrong.
      const spoilt = clean && !unread && how !== 'longer' && range === undefined;
      if (spoilt) bad.push(`a clean ${heard.status} of a spoiled file`);
      if (!clean && !heard.cut && heard.status !== 503) bad.push(`answered ${heard.status}`);
    }
  }
  return bad;
}

/** The scrub of the next day names it. */
async function scrubbed(
  name: string,
  { how }: Spoiled,
  objects: Map<string, Uint8Array>,
  figures: Record<string, number>,
): Promise<readonly string[]> {
  const { told, faults_told } = await scrubNow(memoryStore(objects), { now: NIGHT + DAY });
  const named = name.replace(/\.blocks$/, '.parquet');
  const found = told.some((line) => line.startsWith('damaged') && line.includes(` ${named}`));
  if (found) figures['found'] = (figures['found'] ?? 0) + 1;
  const bad = faults_told.map((fault) => `the scrub broke: ${String(fault)}`);
  return found ? bad : [...bad, `the scrub does not find a file that is ${how}`];
}
