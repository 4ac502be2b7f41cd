import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTINGS } from '../src/config.ts';
import { CrossfootError } from '../src/errors.ts';
import { OTHER_SEED, PUBLIC_KEY, SEED } from './support/signing.ts';

const KEY = 'k'.repeat(32);

function faultsOf(env: Record<string, string>): CrossfootError {
  try {
    readSettings(env);
  } catch (error) {
    if (error instanceof CrossfootError) return error;
    throw error;
  }
  throw new Error('these settings were accepted');
}

function faultNames(env: Record<string, string>): string[] {
  return (faultsOf(env).data['faults'] as { name: string }[]).map((fault) => fault.name);
}

describe('settings', () => {
  it('the settings have a default for everything, so that a bare start works', () => {
    expect(readSettings({})).toEqual({
      dataDir: `${process.cwd()}/data`,
      databaseUrl: null,
      ledgerUrl: null,
      ownerUrl: null,
      ratesUrl: null,
      objectStore: new URL(`file://${process.cwd()}/data/objects`),
      bucket: { endpoint: null, region: null, encryption: null, checksums: 'stored' },
      buildLayout: 'objects',
      schedule: '0 2 * * *',
      jitterSeconds: 300,
      buildRanges: 1,
      host: '127.0.0.1',
      port: 8787,
      baseUrl: null,
      appUrl: null,
      readApi: 'live',
      assistantSignIn: true,
      secretKeys: null,
      signing: { seeds: null, public_keys: [], folder: `${process.cwd()}/data` },
      trustedProxies: [],
      webhookNetworks: [],
      deliveries: { buckets: [], networks: [] },
      mail: null,
      limits: { address: 1200, token: 600 },
      metricsPort: null,
      metricsHost: '127.0.0.1',
      logLevel: 'info',
      logFormat: null,
    });
  });

  it('take the values of the environment', () => {
    const settings = readSettings({
      DATA_DIR: '/srv/crossfoot',
      DATABASE_URL: 'postgres://reader:pw@db/main',
      LEDGER_URL: 'postgresql://reader:pw@replica/main',
      OWNER_URL: 'postgres://owner:pw@db/main',
      BUILD_LAYOUT: 'packed',
      READ_API: 'snapshots',
      ASSISTANT_SIGN_IN: 'off',
      RATES_URL: 'https://rates.example/history.zip',
      OBJECT_STORE: 's3://figures/prod',
      S3_ENDPOINT: 'https://s3.example.com:9000',
      AWS_REGION: 'eu-central-1',
      S3_ENCRYPTION: 'aws:kms',
      S3_CHECKSUMS: 'signed',
      SCHEDULE: '30 4 * * 1-5',
      JITTER_SECONDS: '0',
      BUILD_RANGES: '8',
      HOST: '::',
      PORT: '0',
      BASE_URL: 'https://api.example.com/roi/v1',
      APP_URL: 'https://app.example.com',
      SECRET_KEYS: `${KEY}, ${KEY}2`,
      SIGNING_KEYS: `${SEED}, ${OTHER_SEED}`,
      SIGNING_PUBLIC_KEYS: `ssh-ed25519 ${PUBLIC_KEY}, ${PUBLIC_KEY}@2026-01-01..`,
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      SMTP_URL: 'smtps://crossfoot:50%25@mail.example:465',
      SMTP_FROM: 'crossfoot@example.com',
      TOKEN_REQUESTS_PER_MINUTE: '60',
      ADDRESS_REQUESTS_PER_MINUTE: '90',
      METRICS_PORT: '9090',
      METRICS_HOST: '::1',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
    });
    expect(settings).toEqual({
      dataDir: '/srv/crossfoot',
      databaseUrl: 'postgres://reader:pw@db/main',
      ledgerUrl: 'postgresql://reader:pw@replica/main',
      ownerUrl: 'postgres://owner:pw@db/main',
      ratesUrl: 'https://rates.example/history.zip',
      objectStore: new URL('s3://figures/prod'),
      bucket: {
        endpoint: 'https://s3.example.com:9000',
        region: 'eu-central-1',
        encryption: 'aws:kms',
        checksums: 'signed',
      },
      buildLayout: 'packed',
      schedule: '30 4 * * 1-5',
      jitterSeconds: 0,
      buildRanges: 8,
      host: '::',
      port: 0,
      baseUrl: 'https://api.example.com/roi/v1',
      appUrl: 'https://app.example.com',
      readApi: 'snapshots',
      assistantSignIn: false,
      secretKeys: [KEY, `${KEY}2`],
      signing: {
        seeds: [SEED, OTHER_SEED],
        public_keys: [`ssh-ed25519 ${PUBLIC_KEY}`, `${PUBLIC_KEY}@2026-01-01..`],
        folder: null,
      },
      trustedProxies: ['10.0.0.0/8', '::1'],
      webhookNetworks: ['127.0.0.0/8'],
      deliveries: { buckets: [], networks: [] },
      mail: { url: 'smtps://crossfoot:50%25@mail.example:465', from: 'crossfoot@example.com' },
      limits: { address: 90, token: 60 },
      metricsPort: 9090,
      metricsHost: '::1',
      logLevel: 'warn',
      logFormat: 'json',
    });
  });

  it('set the mail server and who writes together', () => {
    const [url, from] = ['smtp://mail.example', 'crossfoot@example.com'];
    expect(faultNames({ SMTP_URL: url })).toEqual(['SMTP_FROM']);
    expect(faultNames({ SMTP_FROM: from })).toEqual(['SMTP_URL']);
    expect(readSettings({ SMTP_URL: url, SMTP_FROM: from }).mail).toEqual({ url, from });
  });

  it('read the ledger from DATABASE_URL unless LEDGER_URL is set', () => {
    expect(readSettings({ DATABASE_URL: 'postgres://db/main' }).ledgerUrl).toBe('postgres://db/main');
  });

  it('let servers write to the ledger’s database unless another URL is set', () => {
    expect(readSettings({ LEDGER_URL: 'postgres://db/main' }).databaseUrl).toBe('postgres://db/main');
  });

  it('puts the object store below the data folder', () => {
    expect(readSettings({ DATA_DIR: '/srv/a b' }).objectStore.href).toBe('file:///srv/a%20b/objects');
  });

  it.each([
    ['file:objects', pathToFileURL(resolve('objects')).href],
    ['file:./objects', pathToFileURL(resolve('objects')).href],
    ['file:/srv/objects', 'file:///srv/objects'],
    ['file:///srv/objects', 'file:///srv/objects'],
    ['s3://bucket', 's3://bucket'],
    ['s3://bucket/one/two/', 's3://bucket/one/two/'],
  ])('reads the object store %s', (text, href) => {
    expect(readSettings({ OBJECT_STORE: text }).objectStore.href).toBe(href);
  });

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000', 'https://s3.example.com'])(
    'takes %s for a bucket',
    (endpoint) => {
      expect(readSettings({ S3_ENDPOINT: endpoint }).bucket.endpoint).toBe(endpoint);
    },
  );

  it('counts an empty variable as absent', () => {
    expect(readSettings({ PORT: '', BASE_URL: ' ', LOG_LEVEL: '' })).toEqual(readSettings({}));
  });

  it('ignores variables that are not its own', () => {
    expect(readSettings({ CROSSFOOT_PORT: 'x', HOME: '/root' })).toEqual(readSettings({}));
  });

  const wrong: Record<string, string[]> = {
    DATABASE_URL: ['mysql://db/main', 'db'],
    LEDGER_URL: ['http://db'],
    OWNER_URL: ['owner'],
    RATES_URL: ['http://rates.example/history.zip', 'history.zip', 'OFF', 'on', 'none'],
    OBJECT_STORE: [
      'objects',
      'http://bucket',
      'file://host/objects',
      'file:///',
      's3:',
      's3:///key',
      's3://Bucket',
      's3://key:secret@bucket',
      's3://bucket:9000',
      's3://bucket/a b',
      's3://bucket/a//b',
      's3://bucket?region=x',
    ],
    S3_ENDPOINT: [
      's3.example.com',
      'ftp://s3.example.com',
      'http://s3.example.com',
      'http://127.0.0.1.example.com',
      'https://s3.example.com/path',
      'https://key:secret@s3.example.com',
    ],
    AWS_REGION: ['EU Central'],
    S3_ENCRYPTION: ['aes', 'key', 'arn:aws:s3:::bucket'],
    S3_CHECKSUMS: ['none'],
    SCHEDULE: ['02:00', '0 2 * *', '0 0 2 * * *', '0 25 * * *', '0 2 31 2 *', 'nightly'],
    JITTER_SECONDS: ['3601', '-1', '5m'],
    BUILD_RANGES: ['0', '65', '-1', '1.5', 'all'],
    HOST: ['a b', 'http://localhost', '127.0.0.1:5432'],
    PORT: ['65536', '-1', '80.5', '1e3', '999999', 'http'],
    BASE_URL: [
      'https://x/v2',
      'https:///v1',
      'https://x:99999/v1',
      'https://x/v1/',
      'ftp://x/v1',
      'https://x/v1?a=/v1',
      'https://user:secret@x/v1',
      'https://x//v1',
      'x/v1',
    ],
    APP_URL: ['app', 'file:///app'],
    SECRET_KEYS: ['short', `${KEY},`, `${KEY},short`],
    SIGNING_KEYS: ['short', `${SEED},`, SEED.toUpperCase(), `${SEED}0`],
    SIGNING_PUBLIC_KEYS: ['key', `${PUBLIC_KEY},`, `${PUBLIC_KEY}@2026`],
    TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', '::1/129', '10.0.0.1,', '10.0.0.0/8/8', '10.0.0.0/'],
    WEBHOOK_NETWORKS: ['intranet', '10.0.0.0/33'],
    DELIVERY_BUCKETS: ['theirs', 's3://theirs,', 's3://key:secret@theirs', 'gs://theirs'],
    DELIVERY_NETWORKS: ['intranet', '10.0.0.0/33'],
    SMTP_URL: ['mail.example', 'https://mail.example', 'smtp://', 'smtp://a:50%@mail.example'],
    SMTP_FROM: ['crossfoot', 'a@b.example, c@d.example'],
    TOKEN_REQUESTS_PER_MINUTE: ['0', '-1', '1.5', 'many', '9999999999'],
    ADDRESS_REQUESTS_PER_MINUTE: ['0'],
    METRICS_PORT: ['65536', 'off'],
    METRICS_HOST: ['a b', ':9090'],
    LOG_LEVEL: ['loud', 'INFO'],
    BUILD_LAYOUT: ['pack', 'PACKED', 'object'],
    READ_API: ['snapshot', 'LIVE', 'ledger'],
    ASSISTANT_SIGN_IN: ['yes', 'OFF', '0'],
    LOG_FORMAT: ['xml', 'JSON'],
  };

  it('tries a wrong value of every setting that can have one', () => {
    const names = Object.keys(SETTINGS).filter((name) => name !== 'DATA_DIR'); // any text is a path
    expect(Object.keys(wrong).toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(wrong).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
    'refuses %s = %s, naming it',
    (name, text) => {
      const together = { SMTP_URL: 'smtp://mail.example', SMTP_FROM: 'crossfoot@example.com' };
      expect(faultNames({ ...together, [name]: text })).toEqual([name]);
    },
  );

  it('reports all faults at once, each with what was expected and what was found', () => {
    const error = faultsOf({ PORT: 'http', LOG_LEVEL: 'loud' });
    expect(error.code).toBe('settings_invalid');
    expect(error.exitCode).toBe(2);
    expect(error.message).toBe(
      'PORT must be a whole number from 0 to 65535, found "http"; ' +
        'LOG_LEVEL must be one of debug, info, warn, error, silent, found "loud".',
    );
  });

  it('never repeats a secret, not even a wrong one', () => {
    const urls = ['DATABASE_URL', 'LEDGER_URL', 'OWNER_URL', 'RATES_URL', 'OBJECT_STORE'];
    for (const name of [...urls, 'SECRET_KEYS', 'SIGNING_KEYS']) {
      const error = faultsOf({ [name]: 'hunter2' });
      expect(JSON.stringify({ message: error.message, data: error.data })).not.toContain('hunter2');
      expect(error.message).toContain('7 characters, not shown');
    }
  });
});
