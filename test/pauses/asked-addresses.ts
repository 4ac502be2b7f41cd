/** What the campaign of pauses asks: every route of the application, every page, every tool, with hostile arguments. */
import { z } from 'zod';
import { TABLES } from '../../src/tables/all.ts';
import { readArticles } from '../fixtures/article-claims.ts';
import { fakeApp } from '../serve/fake-parts.ts';

export interface Asked {
  /** Its name in what is printed: the pattern of the route, or the name of the tool. */
  readonly route: string;
  readonly path: string;
  readonly init: {
    readonly method?: string;
    readonly body?: string | URLSearchParams;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

export interface Account {
  readonly token: string;
  /** The header of a signed-in browser. */
  readonly cookie: string;
  readonly snapshots: readonly [newest: string, before: string];
}

const LONG = 'a'.repeat(6_000);
/** What anybody can put behind a path. */
const HOSTILE_QUERIES: readonly string[] = [
  '',
  `?q=${'a+'.repeat(100)}`,
  `?q=${'s_'.repeat(100)}`,
  `?q=the+con+sna+rep+tok+ini+mon+acc`,
  `?q=${'reconciliationinstitutio+'.repeat(8)}`,
  `?q=${LONG}`,
  `?${Array.from({ length: 500 }, (_, index) => `p${index}=${index}`).join('&')}`,
  `?to=${'%2F'.repeat(1_500)}`,
];
const HOSTILE_HEADERS: readonly Record<string, string>[] = [
  { cookie: Array.from({ length: 600 }, (_, index) => `c${index}=${index}`).join('; ') },
  { authorization: `Bearer cf_pat_${LONG}`, 'accept-language': LONG },
  { accept: 'text/html,'.repeat(600), 'accept-encoding': 'gzip;q=0.1,'.repeat(500) },
  { 'if-none-match': '"a",'.repeat(1_500), range: `bytes=${'0-1,'.repeat(1_500)}5-6` },
  { 'x-forwarded-for': '10.0.0.1,'.repeat(800) },
];
const DIALECTS = ['bigquery', 'clickhouse', 'duckdb', 'postgresql', 'redshift', 'snowflake'];

/** Addresses for each parameter of a path. A route with another parameter must be told what stands there. */
function valuesOf(
  { snapshots: [newest, before] }: Account,
  initiative: string,
): Record<string, readonly string[]> {
  const tables = TABLES.map(({ name }) => name);
  const slugs = (['articles', 'reference'] as const).flatMap((folder) =>
    readArticles(folder).map(({ slug }) => slug),
  );
  return {
    slug: [...slugs, 'none', LONG],
    snapshot_id: [newest, '20200101T000000Z', LONG],
    from: [before],
    to: [newest],
    table: tables,
    file: ['costs'],
    dialect: DIALECTS,
    name: ['audit.json', 'digests.json'],
    id: [initiative, '9007199254740993'],
    initiative_id: [initiative, '9007199254740993'],
    seq: ['1', '999999999'],
    share: ['crossfoot'],
    schema: ['reporting'],
    grant: [LONG],
  };
}

/** Every address of a pattern: each value of one parameter, with the first value of the others. */
export function addressesOf(
  pattern: string,
  values: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const parameters = [...pattern.matchAll(/:(\w+)(?:\{(?:[^{}]|\{[^}]*\})*\})?/g)];
  const fill = (chosen: Readonly<Record<string, string>>): string =>
    parameters.reduce((path, [matched, name = '']) => {
      const first = chosen[name] ?? values[name]?.[0];
      if (first === undefined) throw new Error(`asked-addresses.ts has no value for :${name} of ${pattern}`);
      const [, ending = ''] = /(\\?\.[a-z]+)\}$/.exec(matched) ?? [];
      return path.replace(matched, `${first}${ending.replace('\\', '')}`);
    }, pattern);
  return [
    ...new Set([
      fill({}),
      ...parameters.flatMap(([, name = '']) => (values[name] ?? []).map((value) => fill({ [name]: value }))),
    ]),
  ];
}

/** The patterns of all routes that answer GET, as the application has them. */
export function routePatterns(): readonly string[] {
  const patterns = fakeApp()
    .app.routes.filter(({ method }) => method === 'GET')
    .map(({ path }) => path);
  return [...new Set(patterns)];
}

/** What a stranger asks: each route plain, and three routes with everything that can be sent to any. */
export function strangersAsk(account: Account, initiative: string): readonly Asked[] {
  const values = valuesOf(account, initiative);
  const plain = routePatterns().flatMap((route) =>
    addressesOf(route, values).map((path) => ({ route, path, init: {} })),
  );
  const hostile = routePatterns().flatMap((route) => {
    const [path = '/'] = addressesOf(route, values);
    return [
      ...HOSTILE_QUERIES.map((query) => ({ route, path: `${path}${query}`, init: {} })),
      ...HOSTILE_HEADERS.map((headers) => ({ route, path, init: { headers } })),
    ];
  });
  const missing = [LONG, '/a'.repeat(3_000), '%2F'.repeat(2_000)].map((rest) => ({
    route: '(no route)',
    path: `/none/${rest}`,
    init: { headers: { accept: 'text/html' } },
  }));
  const forms = ['/sign-in', '/sign-out', '/mcp'].map((path) => ({
    route: path,
    path,
    init: { method: 'POST', body: new URLSearchParams({ token: LONG, to: LONG }), headers: {} },
  }));
  return [...plain, ...hostile, ...missing, ...forms];
}

/** The views of a table's rows: every column as the order and as a filter. */
function viewsOf({ snapshots: [newest] }: Account): readonly Asked[] {
  const route = '/snapshots/:snapshot_id/tables/:table';
  return TABLES.flatMap(({ name, columns }) => {
    const path = `/snapshots/${newest}/tables/${name}`;
    return columns
      .flatMap((column) => [`?sort=-${column.name}`, `?sort=${column.name}&page=40`, `?${column.name}=1`])
      .map((query) => ({ route, path: `${path}${query}`, init: {} }));
  });
}

const described = z.object({
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        parameters: z
          .array(
            z.looseObject({
              name: z.string(),
              in: z.string(),
              schema: z.looseObject({
                enum: z.array(z.unknown()).optional(),
                maximum: z.number().optional(),
                format: z.string().optional(),
                type: z.unknown(),
              }),
            }),
          )
          .default([]),
      }),
    }),
  ),
});

/** Each described parameter of each route of the API, as far as it goes. */
function parametersOf(contract: unknown, account: Account, initiative: string): readonly Asked[] {
  const values = valuesOf(account, initiative);
  return Object.entries(described.parse(contract).paths).flatMap(([path, { get }]) => {
    const route = `/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
    const [plain = ''] = addressesOf(route.replace(/(:\w+)\.(\w+)$/, '$1{x\\.$2}'), values);
    return get.parameters
      .filter((each) => each.in === 'query')
      .flatMap(({ name, schema }) => {
        const widest = [
          schema.enum ?? [],
          schema.maximum ?? [],
          schema.format === 'date' ? ['2020-01-01', '2100-01-01'] : [],
          name === 'snapshot_id' ? account.snapshots[0] : [],
          LONG,
        ].flat();
        return widest.map((value) => ({
          route,
          path: `${plain}?${name}=${encodeURIComponent(String(value))}`,
          init: {},
        }));
      });
  });
}

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: {
    readonly required?: readonly string[] | undefined;
    readonly properties?: Readonly<Record<string, unknown>> | undefined;
  };
}

const TOOL_ARGUMENTS: Readonly<Record<string, readonly unknown[]>> = {
  query: ['a '.repeat(50), 's_'.repeat(50), 'cost', 'the con sna rep'],
  slug: ['performance', LONG.slice(0, 200)],
  platform: ['openai'],
};

/** Each tool with its required arguments, and with each of its arguments alone. */
function toolCalls(tools: readonly ListedTool[], account: Account, initiative: string): readonly Asked[] {
  const valuesFor = (name: string, kind: unknown): readonly unknown[] => {
    const { enum: listed, type } = (kind ?? {}) as { enum?: readonly unknown[]; type?: unknown };
    if (name.endsWith('_id') && name.includes('initiative')) return [Number(initiative)];
    if (name === 'from') return [account.snapshots[1]];
    if (name === 'to' || name.includes('snapshot')) return [account.snapshots[0]];
    return (
      TOOL_ARGUMENTS[name] ??
      listed ??
      (type === 'integer' ? [1, 50] : type === 'boolean' ? [true] : ['a a a a'])
    );
  };
  return tools.flatMap(({ name, inputSchema: { required = [], properties = {} } }) => {
    const base = Object.fromEntries(required.map((each) => [each, valuesFor(each, properties[each])[0]]));
    const calls = [
      base,
      ...Object.entries(properties).flatMap(([argument, kind]) =>
        valuesFor(argument, kind).map((value) => ({ ...base, [argument]: value })),
      ),
    ];
    return calls.map((args) => callOf(name, args));
  });
}

function callOf(name: string, args: unknown): Asked {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return { route: `tool ${name}`, path: '/mcp', init: { method: 'POST', body, headers } };
}

/** What a holder of a token, signed in as well, asks. */
export function readersAsk(
  account: Account,
  initiative: string,
  contract: unknown,
  tools: readonly ListedTool[],
): readonly Asked[] {
  const values = valuesOf(account, initiative);
  const plain: readonly Asked[] = routePatterns().flatMap((route) =>
    addressesOf(route, values).map((path) => ({ route, path, init: {} })),
  );
  const [newest, before] = account.snapshots;
  const moves = [
    `/snapshots/${newest}/changes?from=${before}`,
    `/snapshots/${newest}/changes.csv?from=${before}`,
  ].map((path) => ({ route: '/snapshots/:snapshot_id/changes', path, init: {} }));
  const all: readonly Asked[] = [
    ...plain,
    ...moves,
    ...viewsOf(account),
    ...parametersOf(contract, account, initiative),
    ...toolCalls(tools, account, initiative),
  ];
  const own = { cookie: account.cookie, authorization: `Bearer ${account.token}` };
  return all.map((each) => ({ ...each, init: { ...each.init, headers: { ...each.init.headers, ...own } } }));
}
