/** The settings: read once from the environment, every fault reported at the same time. */
import { validate as isCron } from 'node-cron';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { CrossfootError } from './errors.ts';
import { KEY_SETTINGS, type SigningSettings } from './key-settings.ts';
import { LOG_FORMATS, type LogFormat } from './log-format.ts';
import { HOST_FORM, mailOf, NETWORK_SETTINGS, requireMailTogether } from './network-settings.ts';
import { requestsPerMinute, wholeNumber } from './number-settings.ts';
import { type BucketSettings, type BuildLayout, STORE_SETTINGS } from './store-settings.ts';

export interface Setting {
  readonly schema: z.ZodType;
  /** The expected value, as the error says it: "must be …". */
  readonly expected: string;
  /** The default if the variable is missing or empty. Markdown. */
  readonly absent: string;
  readonly sentence: string;
  /** An error never shows the value, not even a wrong one. */
  readonly secret?: true;
}

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
const portNumber = wholeNumber(65_535);
const MAX_RANGES = 64; // each range of a table needs a connection
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const READ_APIS = ['live', 'snapshots'] as const;
/** The source of an answer to a request that names no snapshot: the ledger (`live`), or the newest snapshot. */
export type ReadApi = (typeof READ_APIS)[number];

/** Every setting with its form and purpose, in the order of the reference page. */
export const SETTINGS = {
  DATA_DIR: {
    schema: z.string().default('./data'),
    expected: 'the path of a folder',
    absent: '`./data`',
    sentence: 'The folder of all that the program stores itself: embedded database, object store, keys.',
  },
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    expected: 'a postgres:// or postgresql:// URL',
    absent: 'the value of `LEDGER_URL`, else an embedded PostgreSQL below `DATA_DIR`',
    sentence:
      'The PostgreSQL that servers and workers write to, as role `cf_service`: limits, last use of tokens, the queue.',
    secret: true,
  },
  LEDGER_URL: {
    schema: postgresUrl.optional(),
    expected: 'a postgres:// or postgresql:// URL',
    absent: 'the value of `DATABASE_URL`',
    sentence:
      'The PostgreSQL that the ledger is read from, as role `cf_reader`. A replica works for builds, not for `serve`.',
    secret: true,
  },
  OWNER_URL: {
    schema: postgresUrl.optional(),
    expected: 'a postgres:// or postgresql:// URL',
    absent: 'the owner of the embedded PostgreSQL',
    sentence:
      'The ledger as its owner, for `migrate`, `load`, `account`, `people`, `month`, `rates`, `token`, `clients`, `reporting`, `webhooks` and `deliver`. With `RATES_URL` set, `build` of all accounts, `start` and `work` need it too.',
    secret: true,
  },
  RATES_URL: {
    schema: z.union([z.literal('off'), z.url({ protocol: /^(https|file)$/ })]).optional(),
    expected: 'an https:// or file:// URL, or off',
    absent:
      "the European Central Bank's file, with the embedded PostgreSQL once an account other than the demo's exists; else rates are imported by hand, with `rates import`",
    sentence:
      "The European Central Bank's history of reference rates, a CSV or its zip, which the night reads. `off`: the night reads none.",
    secret: true, // a mirror's address may carry a key
  },
  ...STORE_SETTINGS,
  BUILD_RANGES: {
    schema: wholeNumber(MAX_RANGES).pipe(z.int().min(1)).default(1),
    expected: `a whole number from 1 to ${MAX_RANGES}`,
    absent: '1: one connection reads each table',
    sentence:
      'The number of ranges that a build cuts a long table into, for accounts whose newest snapshot has over a million rows. The machine reads one range per core at a time, and other workers take ranges from the queue.',
  },
  SCHEDULE: {
    schema: z
      .string()
      .refine((text) => text.trim().split(/\s+/).length === 5 && isCron(text))
      .default('0 2 * * *'),
    expected: 'a cron expression of five fields',
    absent: '`0 2 * * *`',
    sentence:
      'The time at which the night of a day begins, in UTC. Of several times a day only the first counts.',
  },
  JITTER_SECONDS: {
    schema: wholeNumber(3_600).default(300),
    expected: 'a whole number from 0 to 3600',
    absent: '`300`',
    sentence:
      "The maximum delay in seconds before an account's build starts. Each account has a fixed delay.",
  },
  HOST: {
    ...HOST_FORM,
    sentence: 'The address that the server listens on.',
  },
  PORT: {
    schema: portNumber.default(8787),
    expected: 'a whole number from 0 to 65535',
    absent: '`8787`',
    sentence: 'The port that the server listens on; 0 takes any free port.',
  },
  BASE_URL: {
    schema: z
      .url({ protocol: /^https?$/ })
      .regex(/^\w+:\/\/[^/?#@\\]+(?:\/[^/?#\\]+)*\/v1$/)
      .optional(),
    expected: 'an http(s) URL that ends in /v1, without a login',
    absent: 'made from `HOST` and `PORT`',
    sentence: 'The public address of the API, as the URLs of a manifest show it.',
  },
  APP_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: 'an http(s) URL',
    absent: 'the origin of `BASE_URL`',
    sentence: 'The application whose pages `app_url` links to, for accounts without an address of their own.',
  },
  READ_API: {
    schema: z.enum(READ_APIS).default('live'),
    expected: `one of ${READ_APIS.join(', ')}`,
    absent: '`live`',
    sentence:
      'What the read API and the assistant answer from: the ledger now (`live`), or the newest snapshot of the account (`snapshots`). Tokens, limits, search, articles and guides need the database either way.',
  },
  ...KEY_SETTINGS,
  ...NETWORK_SETTINGS,
  TOKEN_REQUESTS_PER_MINUTE: {
    schema: requestsPerMinute.default(600),
    expected: 'a whole number from 1',
    absent: '`600`',
    sentence: 'The maximum of requests per minute for one access token, over all servers.',
  },
  ADDRESS_REQUESTS_PER_MINUTE: {
    schema: requestsPerMinute.default(1200),
    expected: 'a whole number from 1',
    absent: '`1200`',
    sentence:
      'The maximum of requests per minute for one address. A request with a wrong token counts for 20, one without a token for 1.',
  },
  METRICS_PORT: {
    schema: portNumber.optional(),
    expected: 'a whole number from 0 to 65535',
    absent: 'no metrics',
    sentence: 'The port of `/metrics`, for Prometheus.',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS).default('info'),
    expected: `one of ${LOG_LEVELS.join(', ')}`,
    absent: '`info`',
    sentence: 'The lowest level that is logged.',
  },
  LOG_FORMAT: {
    schema: z.enum(LOG_FORMATS).optional(),
    expected: `one of ${LOG_FORMATS.join(', ')}`,
    absent: '`text` on a terminal, else `json`',
    sentence: 'How the log is written to standard error: as JSON lines, or as short lines for a person.',
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof SETTINGS;

export interface Settings {
  readonly dataDir: string;
  /** The database that servers and workers write to; null: the embedded server. */
  readonly databaseUrl: string | null;
  /** The database from which the ledger is read; null: the embedded server. */
  readonly ledgerUrl: string | null;
  readonly ownerUrl: string | null;
  /** Where the night reads rates, or `off`; null: see `ratesPlan`. */
  readonly ratesUrl: string | null;
  /** An absolute `file:` URL or an `s3:` URL. */
  readonly objectStore: URL;
  readonly bucket: BucketSettings;
  readonly buildLayout: BuildLayout;
  /** The number of ranges that a long table of a large account is cut into. */
  readonly buildRanges: number;
  /** Five cron fields, in UTC. */
  readonly schedule: string;
  readonly jitterSeconds: number;
  readonly host: string;
  readonly port: number;
  /** Null: see `publicBaseUrl`. */
  readonly baseUrl: string | null;
  /** Null: see `applicationUrl`. */
  readonly appUrl: string | null;
  readonly readApi: ReadApi;
  /** Whether clients of the assistant may connect. */
  readonly assistantSignIn: boolean;
  /** Null: not set; see `openSecretKeys`. */
  readonly secretKeys: readonly string[] | null;
  readonly signing: SigningSettings;
  /** Addresses, or networks in CIDR notation. */
  readonly trustedProxies: readonly string[];
  /** Private networks that webhooks may reach, in the same form. */
  readonly webhookNetworks: readonly string[];
  /** Where deliveries may go: buckets for the program's own credentials, and private networks. */
  readonly deliveries: { readonly buckets: readonly string[]; readonly networks: readonly string[] };
  /** The mail server of webhooks, and who writes; null: not set. */
  readonly mail: ReturnType<typeof mailOf>;
  /** Requests a minute. */
  readonly limits: { readonly address: number; readonly token: number };
  /** Null: metrics are not served. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly logLevel: LogLevel;
  /** Null: see `isReadByPerson`. */
  readonly logFormat: LogFormat | null;
}

const environment = z
  .object(
    Object.fromEntries(Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema])) as {
      [Name in SettingName]: (typeof SETTINGS)[Name]['schema']; // fromEntries forgets which key has which schema
    },
  )
  .superRefine(requireMailTogether);

/** Reads the settings from `env`. An empty variable counts as missing. One error names all wrong variables. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim() !== ''));
  const read = environment.safeParse(given);
  if (!read.success) throw settingsInvalid(given, read.error);
  const value = read.data;
  const dataDir = resolve(value.DATA_DIR);
  const ledgerUrl = value.LEDGER_URL ?? value.DATABASE_URL ?? null;
  return {
    dataDir,
    databaseUrl: value.DATABASE_URL ?? value.LEDGER_URL ?? null,
    ledgerUrl,
    ownerUrl: value.OWNER_URL ?? null,
    ratesUrl: value.RATES_URL ?? null,
    objectStore: value.OBJECT_STORE ?? pathToFileURL(resolve(dataDir, 'objects')),
    bucket: {
      endpoint: value.S3_ENDPOINT ?? null,
      region: value.AWS_REGION ?? null,
      encryption: value.S3_ENCRYPTION ?? null,
      checksums: value.S3_CHECKSUMS,
    },
    buildLayout: value.BUILD_LAYOUT,
    buildRanges: value.BUILD_RANGES,
    schedule: value.SCHEDULE,
    jitterSeconds: value.JITTER_SECONDS,
    host: value.HOST,
    port: value.PORT,
    baseUrl: value.BASE_URL === undefined ? null : new URL(value.BASE_URL).href, // as clients spell it
    appUrl: value.APP_URL ?? null,
    readApi: value.READ_API,
    assistantSignIn: value.ASSISTANT_SIGN_IN === 'on',
    secretKeys: value.SECRET_KEYS ?? null,
    signing: {
      seeds: value.SIGNING_KEYS ?? null,
      public_keys: value.SIGNING_PUBLIC_KEYS,
      folder: ledgerUrl === null ? dataDir : null,
    },
    trustedProxies: value.TRUSTED_PROXIES,
    webhookNetworks: value.WEBHOOK_NETWORKS,
    deliveries: { buckets: value.DELIVERY_BUCKETS, networks: value.DELIVERY_NETWORKS },
    mail: mailOf(value),
    limits: { address: value.ADDRESS_REQUESTS_PER_MINUTE, token: value.TOKEN_REQUESTS_PER_MINUTE },
    metricsPort: value.METRICS_PORT ?? null,
    metricsHost: value.METRICS_HOST,
    logLevel: value.LOG_LEVEL,
    logFormat: value.LOG_FORMAT ?? null,
  };
}

/** The public address of the API: the setting, or else made from the host and the bound port. */
export function publicBaseUrl(settings: Pick<Settings, 'baseUrl' | 'host'>, boundPort: number): string {
  if (settings.baseUrl !== null) return settings.baseUrl;
  // A client cannot open the wildcard address on which we listen.
  const wildcard = settings.host === '0.0.0.0' || settings.host === '::';
  const host = wildcard ? 'localhost' : settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return `http://${host}:${boundPort}/v1`;
}

/** The address of the application, without a trailing slash: the setting, or else the address of the API. */
export function applicationUrl(settings: Pick<Settings, 'appUrl' | 'baseUrl' | 'host' | 'port'>): string {
  return (settings.appUrl ?? new URL(publicBaseUrl(settings, settings.port)).origin).replace(/\/+$/, '');
}

function settingsInvalid(given: Record<string, string | undefined>, error: z.ZodError): CrossfootError {
  const names = new Set(error.issues.map((issue) => issue.path[0] as SettingName)); // the keys of `environment`
  const faults = [...names].map((name) => {
    const { expected, secret }: Setting = SETTINGS[name];
    const text = given[name] ?? '';
    return { name, expected, found: secret ? `${text.length} characters, not shown` : JSON.stringify(text) };
  });
  const sentences = faults.map(({ name, expected, found }) => `${name} must be ${expected}, found ${found}`);
  return new CrossfootError('settings_invalid', `${sentences.join('; ')}.`, {
    hint: 'Correct these environment variables; docs/reference/settings.md says what each is for.',
    data: { faults },
  });
}
