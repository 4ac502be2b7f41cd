/** The real bucket of this run, as its environment names it. */
import { randomUUID } from 'node:crypto';
import { readSettings, type Settings } from '../../src/config.ts';

/** What leads to the bucket: nothing else of the environment counts, because the test runner has settings of its own. */
const NAMES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'OBJECT_STORE',
  'S3_CHECKSUMS',
  'S3_ENCRYPTION',
  'S3_ENDPOINT',
] as const;

/** The environment of a program that works below a prefix of its own, which is empty therefore. */
export function freshEnvironment(): Readonly<Record<string, string>> {
  const given = Object.fromEntries(NAMES.map((name) => [name, process.env[name] ?? '']));
  return { ...given, OBJECT_STORE: `${given['OBJECT_STORE']?.replace(/\/$/, '')}/${randomUUID()}` };
}

/** The same as settings. */
export function freshSettings(): Settings {
  return readSettings(freshEnvironment());
}
