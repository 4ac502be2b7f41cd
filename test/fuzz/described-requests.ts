/** Well-formed requests for every route of the contract, most of them as a client would ask, the others odd. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { oddText, plainValue } from './odd-values.ts';
import type { Seeded } from './seeded.ts';

/** What a run knows of its server; `cursors` and `tags` are filled with what answers say. */
export interface Known {
  readonly tokens: readonly [personal: string, ...others: string[]];
  readonly snapshots: readonly [string, ...string[]];
  readonly links: readonly string[];
  readonly cursors: string[];
  readonly tags: string[];
}

/** A request as bytes, and what is needed to read its answer. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly bytes: string;
}

const schema = z.looseObject({
  type: z.string().optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
});
const parameters = z.array(z.object({ name: z.string(), in: z.string(), schema })).default([]);
const contract = z.object({ paths: z.record(z.string(), z.object({ get: z.object({ parameters }) })) });

interface Route {
  readonly path: string;
  readonly parameters: z.infer<typeof parameters>;
}

/** Beside the contract: what people and programs fetch without a token. */
const OUTSIDE = ['/docs', '/docs/roi', '/docs/none', '/docs/api', '/healthz', '/readyz', '/pull.mjs'];
/** Each of them costs as much as a dozen of the others. */
const DEAR = /roi|budgets|diff|csv|compare/;
const TIMES_CHEAP = 6;

/** Every route of the committed contract, the cheap ones more often. */
export async function readRoutes(): Promise<readonly [Route, ...Route[]]> {
  const file = new URL('../../schema/v1.openapi.json', import.meta.url);
  const { paths } = contract.parse(JSON.parse(await readFile(file, 'utf8')));
  const described = Object.entries(paths).map(([path, { get }]) => ({
    path: `/v1${path}`,
    parameters: get.parameters,
  }));
  const outside = OUTSIDE.map((path) => ({ path, parameters: [] }));
  const [first, ...others] = [...described, ...outside].flatMap((route) =>
    Array.from({ length: DEAR.test(route.path) ? 1 : TIMES_CHEAP }, () => route),
  );
  if (first === undefined) throw new Error('the contract names no route');
  return [first, ...others];
}

/** One request for a route. */
export function describedRequest(route: Route, known: Known, seed: Seeded): Asked {
  const { percent, pick } = seed;
  const method = percent(90)
    ? 'GET'
    : percent(70)
      ? 'HEAD'
      : pick(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']);
  const linked = known.links[seed.below(Math.max(known.links.length, 1))];
  const path = percent(2) && linked !== undefined ? linked : pathOf(route, known, seed);
  const target = `${path}${queryOf(route, known, seed)}`;
  const lines = [...authorization(known, seed), ...conditions(route, known, seed)];
  return { method, path, bytes: `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n` };
}

function pathOf({ path, parameters: named }: Route, known: Known, seed: Seeded): string {
  return named
    .filter((each) => each.in === 'path')
    .reduce((so, each) => so.replace(`{${each.name}}`, () => segment(each, known, seed)), path);
}

function segment({ name, schema: kind }: Route['parameters'][number], known: Known, seed: Seeded): string {
  // A dot segment is refused below every handler, and so comes with the raw requests.
  if (seed.percent(7)) return encoded(oddText(seed)) || '0';
  if (['snapshot_id', 'from', 'to'].includes(name)) return seed.pick(known.snapshots);
  if (name === 'name') return seed.pick(['audit.json', 'manifest.json', 'control.json', 'schema.json']);
  return encoded(String(plainValue(kind, seed)));
}

function queryOf({ parameters: named }: Route, known: Known, seed: Seeded): string {
  const pairs = named
    .filter((each) => each.in === 'query' && seed.percent(25))
    .map(
      (each) => `${each.name}=${encoded(seed.percent(6) ? oddText(seed) : queryValue(each, known, seed))}`,
    );
  if (seed.percent(2)) pairs.push(pairs[0] ?? 'unknown=1');
  if (seed.percent(1)) pairs.push(`${encoded(oddText(seed))}=${encoded(oddText(seed))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function queryValue({ name, schema: kind }: Route['parameters'][number], known: Known, seed: Seeded): string {
  // One of another route or filter is refused, and says so.
  if (name === 'cursor') return known.cursors[seed.below(known.cursors.length)] ?? 'none';
  return String(plainValue(kind, seed));
}

function authorization({ tokens: [personal, ...others] }: Known, seed: Seeded): string[] {
  const token = seed.percent(92) ? personal : seed.pick([personal, ...others, 'cf_pat_x', '']);
  if (seed.percent(2)) return [];
  if (seed.percent(80)) return [`Authorization: Bearer ${token}\r\n`];
  const user = seed.pick(['', 'x', 'user@example.com']);
  return [`Authorization: Basic ${Buffer.from(`${user}:${token}`).toString('base64')}\r\n`];
}

function conditions({ path }: Route, { tags }: Known, seed: Seeded): string[] {
  const tag = tags[seed.below(tags.length)] ?? '"none"';
  const lines: string[] = [];
  if (path.endsWith('.parquet') && seed.percent(50)) {
    const [from, to] = [seed.below(20_000), seed.below(40_000)];
    lines.push(
      `Range: ${seed.pick([`bytes=${from}-${to}`, `bytes=-${to}`, `bytes=${from}-`, 'bytes=0-0,2-3', 'bytes=9-1', 'rows=1-2'])}\r\n`,
    );
  }
  if (seed.percent(10)) lines.push(`${seed.pick(['If-None-Match', 'If-Match', 'If-Range'])}: ${tag}\r\n`);
  if (seed.percent(3)) {
    lines.push(
      seed.pick([
        'X-Forwarded-For: 10.0.0.1, 10.0.0.2\r\n',
        'X-Forwarded-Host: evil.example\r\n',
        'X-HTTP-Method-Override: DELETE\r\n',
        'Origin: https://evil.example\r\n',
        'Accept: text/html;q=0.1, */*\r\n',
        'Cookie: a=b\r\n',
        'Accept-Encoding: gzip, br\r\n',
      ]),
    );
  }
  return lines;
}

function encoded(text: string): string {
  return encodeURIComponent(text.isWellFormed() ? text : '');
}
