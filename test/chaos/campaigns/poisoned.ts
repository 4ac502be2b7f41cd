/** Poisoned manifests and logs: served by the real routes never as anything but what was published, or refused. */
import { sha256Hex } from '../../../src/snapshot/format/digest.ts';
import { encodeCanonical } from '../../../src/snapshot/format/canonical-json.ts';
import { logKey, manifestKey } from '../../../src/snapshot/format/keys.ts';
import { contentOfBytes } from '../../../src/snapshot/spool/upload.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { type AskedRoutes, type Heard, openRoutes } from '../asked-routes.ts';
import { tableOf } from '../audited-files.ts';
import type { Campaign } from '../campaign.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { ODD_TEXTS, poisonBytes, poisonValue } from '../damage/poison.ts';
import { type StoredNights, storeNights } from '../builds/stored-nights.ts';

const OURS = 7n;
const THEIRS = 8n;
const NIGHTS = 4;
const BASE = 'https://api.example.com/v1/reporting/snapshots/';
const TABLES = ['snapshot', 'costs'];

type Objects = Map<string, Uint8Array>;

interface Poisoned {
  readonly what: string;
  readonly objects: Objects;
  /** So many nights, from the first on, must be served as before. */
  readonly sound: number;
  /** Of the nights after so many, none may be served. Between the two, nothing tells the change from an honest one. */
  readonly lost_after: number;
  /** Whether the watch must report a broken log. */
  readonly alarms: boolean;
}

export const poisonedCampaign: Campaign = {
  name: 'poisoned',
  title:
    'manifests and log entries, made by hand and mutated, with and without a digest that was made to fit, under the real routes',
  rows: ['F-41', 'F-42', 'F-43'],
  unit: 'poisons',
  times: { short: 500, long: 50_000 },
  async run({ seed, times, signal }) {
    const stored = await storeNights(OURS, NIGHTS, await ofAccount(OURS));
    const foreign = await storeNights(THEIRS, NIGHTS, await ofAccount(THEIRS));
    const routes = openRoutes();
    const bad: string[] = [];
    const figures = { refused: 0, served: 0, alarms: 0 };
    let done = 0;
    for (; done < times && !signal.aborted; done += 1) {
      const chance = chanceOf(seed + done);
      const poisoned = poison(stored, foreign, seed + done, chance);
      const asked: string[] = [];
      const again = ` (again: --only poisoned --times 1 --seed ${seed + done})`;
      const found = await taste(poisoned, stored, routes, asked, figures);
      bad.push(...found.map((sentence) => `${poisoned.what}: ${sentence}${again}`));
    }
    return { done, bad, figures };
  },
};

async function ofAccount(account_id: bigint) {
  const bytes = (name: string): Buffer => Buffer.from(`PAR1 ${name} of ${account_id} PAR1`);
  return {
    tables: await Promise.all(TABLES.map((name) => tableOf(name, 1, bytes(name)))),
    files: [{ name: 'audit.json', content: contentOfBytes(Buffer.from('{}')) }],
  };
}

/** A quarter of them puts each odd text in the place of each kind of object; the others are drawn by chance. */
function poison(ours: StoredNights, theirs: StoredNights, number: number, chance: Chance): Poisoned {
  const objects = new Map(ours.objects);
  const night = 1 + chance.below(NIGHTS);
  const text = ODD_TEXTS[number % ODD_TEXTS.length] ?? Buffer.alloc(0);
  const turn = Math.floor(number / ODD_TEXTS.length) % 8;
  if (turn === 0) return ofManifest(ours, objects, night, () => text);
  if (turn === 1) return ofEntry(objects, night, text);
  switch (chance.below(7)) {
    case 0:
      return ofManifest(ours, objects, night, (bytes) => poisonValue(bytes, chance));
    case 1:
      return ofManifest(ours, objects, night, (bytes) => poisonBytes(bytes, chance));
    case 2:
      return madeToFit(ours, objects, (bytes) =>
        chance.happens(0.7) ? poisonValue(bytes, chance) : poisonBytes(bytes, chance),
      );
    case 3:
      return ofEntry(objects, night, poisonValue(bytesAt(objects, logKey(OURS, night)), chance));
    case 4:
      return ofEntry(objects, night, poisonBytes(bytesAt(objects, logKey(OURS, night)), chance));
    case 5:
      return shuffled(objects, night, chance);
    default:
      return copied(theirs, objects, chance);
  }
}

function bytesAt(objects: ReadonlyMap<string, Uint8Array>, key: string): Uint8Array {
  return objects.get(key) ?? Buffer.alloc(0);
}

/** The log's digest tells: that snapshot is refused, and every other stands. */
function ofManifest(
  { nights }: StoredNights,
  objects: Objects,
  night: number,
  change: (bytes: Uint8Array) => Uint8Array,
): Poisoned {
  const key = manifestKey(nights[night - 1]?.prefix ?? '');
  const honest = bytesAt(objects, key);
  const bytes = change(honest);
  objects.set(key, bytes);
  const same = Buffer.from(bytes).equals(honest);
  const sound = same ? NIGHTS : night - 1;
  return { what: `manifest ${night}`, objects, sound, lost_after: NIGHTS, alarms: false };
}

/** Who can write the newest manifest can write its log entry, too: then only the fields of the entry can tell. */
function madeToFit(
  { nights }: StoredNights,
  objects: Objects,
  change: (bytes: Uint8Array) => Uint8Array,
): Poisoned {
  const key = manifestKey(nights.at(-1)?.prefix ?? '');
  const manifest = change(bytesAt(objects, key));
  objects.set(key, manifest);
  const head = logKey(OURS, NIGHTS);
  const entry = JSON.parse(Buffer.from(bytesAt(objects, head)).toString()) as object;
  objects.set(head, encodeCanonical({ ...entry, manifest_sha256: sha256Hex(manifest) }));
  const sound = NIGHTS - 1;
  return { what: 'manifest with a digest to fit', objects, sound, lost_after: NIGHTS, alarms: false };
}

/** The chain tells from the next entry on; no entry has the digest of the newest yet. */
function ofEntry(objects: Objects, night: number, bytes: Uint8Array): Poisoned {
  const key = logKey(OURS, night);
  const same = Buffer.from(bytes).equals(bytesAt(objects, key));
  objects.set(key, bytes);
  const about = { what: `entry ${night}`, objects };
  if (same) return { ...about, sound: NIGHTS, lost_after: NIGHTS, alarms: false };
  return { ...about, sound: night - 1, lost_after: night, alarms: night < NIGHTS };
}

/** An entry is gone, stands in another's place, or twice. */
function shuffled(objects: Objects, night: number, chance: Chance): Poisoned {
  const others = Array.from({ length: NIGHTS }, (_, index) => index + 1).filter((each) => each !== night);
  const other = chance.oneOf(others);
  const [key, second] = [logKey(OURS, night), logKey(OURS, other)];
  const [one, two] = [bytesAt(objects, key), bytesAt(objects, second)];
  if (chance.happens(0.4) && night < NIGHTS) {
    objects.delete(key);
    return { what: `no entry ${night}`, objects, sound: night - 1, lost_after: night - 1, alarms: true };
  }
  objects.set(key, two);
  const swapped = chance.happens(0.5);
  if (swapped) objects.set(second, one);
  const first = swapped ? Math.min(night, other) : night;
  const sound = first - 1;
  return { what: `entry ${other} as ${night}`, objects, sound, lost_after: sound, alarms: true };
}

/** Another account's snapshot under our keys: its directory, its log, or both. */
function copied({ objects: theirs }: StoredNights, objects: Objects, chance: Chance): Poisoned {
  const emptied = chance.happens(0.5);
  if (emptied) objects.clear();
  for (const [key, bytes] of theirs) objects.set(key.replace(`v1/a/${THEIRS}/`, `v1/a/${OURS}/`), bytes);
  return {
    what: emptied ? 'all of another account' : 'another account over ours',
    objects,
    sound: 0,
    lost_after: 0,
    alarms: true,
  };
}

/** Asks for everything, and holds each answer against what was published. */
async function taste(
  { objects, sound, lost_after, alarms }: Poisoned,
  { nights, objects: honest }: StoredNights,
  routes: AskedRoutes,
  keys: string[],
  figures: { refused: number; served: number; alarms: number },
): Promise<readonly string[]> {
  const bad: string[] = [];
  const store = memoryStore(objects);
  routes.standOn({
    ...store,
    readSmall: async (key, cap) => (keys.push(key), await store.readSmall(key, cap)),
  });
  const hear = async (path: string, check: (heard: Heard) => string | null): Promise<boolean> => {
    const heard = await routes.ask(path);
    const clean = heard.status === 200 && !heard.cut;
    figures[clean ? 'served' : 'refused'] += 1;
    const wrong = clean ? check(heard) : refusedWell(heard);
    if (wrong !== null) bad.push(`${path}: ${wrong}`);
    return clean;
  };
  const latest = await hear('/v1/reporting/latest', isOurs);
  if (lost_after === 0 && latest) bad.push('a latest is served, and there is no good entry');
  await hear('/v1/reporting/snapshots', ({ body }) =>
    /\.\.\/|169\.254|file:/.test(body.toString()) ? 'names a strange place' : null,
  );
  for (const [number, { snapshot_id, prefix }] of nights.entries()) {
    const path = `/v1/reporting/snapshots/${snapshot_id}`;
    const served = await hear(path, isOurs);
    const complete = await hear(`${path}/costs.parquet`, ({ body }) =>
      body.equals(bytesAt(honest, `${prefix}/costs.parquet`)) ? null : 'other bytes are served',
    );
    if (number < sound && !(served && complete)) bad.push(`entry ${number + 1} is sound, and refused`);
    if (number >= lost_after && (served || complete)) bad.push(`entry ${number + 1} is served`);
  }
  figures.alarms += routes.alarms();
  if (alarms && routes.alarms() === 0) bad.push('no alarm told of a broken log');
  const strange = keys.filter((key) => !key.startsWith(`v1/a/${OURS}/`));
  if (strange.length > 0) bad.push(`${strange[0]} was asked for`);
  return bad;
}

/** In words, as something that cannot be answered or is not there: never as an accident. */
function refusedWell({ status, cut }: Heard): string | null {
  return cut || status === 503 || status === 404 ? null : `answered ${status}`;
}

/** Of our account, and every address one of ours. */
function isOurs({ body }: Heard): string | null {
  const { account_id, snapshot_id, tables } = JSON.parse(body.toString()) as {
    account_id: unknown;
    snapshot_id: unknown;
    tables: readonly { name: string; url: string }[];
  };
  if (account_id !== Number(OURS)) return `is of account ${String(account_id)}`;
  const strange = tables.find(({ name, url }) => url !== `${BASE}${String(snapshot_id)}/${name}.parquet`);
  return strange === undefined ? null : `sends clients to ${strange.url}`;
}
