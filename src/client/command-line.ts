/** The command line of `pull.mjs`: its help text and its options. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { keysOnLines, readPublicKey } from '../signing/keys.ts';
import { PullStopped } from './errors.ts';
import type { PullOptions } from './pull.ts';

export const USAGE = `Pulls an audited snapshot of the reporting tables into a folder.

  node pull.mjs --url <https://host/v1> --to <folder> [--token <token>] [--snapshot <id>] [--tables <a,b>]
                [--retracted] [--key <key or file>]

  --url       the address of the API
  --token     a personal or reporting token; in CROSSFOOT_TOKEN, other users of the machine cannot see it
  --to        the folder in which <snapshot_id>/ is created; the link latest points to it, latest.json lists its files
  --snapshot  an id such as 20260715T020000Z, instead of the newest
  --tables    only these tables, separated by commas
  --retracted pulls a snapshot although it was retracted, to compare it
  --key       the publisher's public key as OpenSSH writes it, or a file of keys; without it, the first pull trusts the
              key that signed its snapshot, and the folder remembers the key

Exit codes: 0 a new snapshot, 10 nothing new, 3 refused, retracted or corrupt, 1 failed, 2 wrong usage.`;

/** Reads what to pull from arguments and environment; null if help is requested. */
export function readCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): PullOptions | null {
  const { help, retracted = false, ...values } = parsed(args);
  return help === true ? null : pullOptions({ ...values, retracted }, env);
}

/** Reads what to pull from options; the token may be in the environment. */
export function pullOptions(
  values: { readonly [Name in 'url' | 'token' | 'to' | 'snapshot' | 'tables' | 'key']?: string } & {
    readonly retracted: boolean;
  },
  env: Readonly<Record<string, string | undefined>>,
): PullOptions {
  return {
    url: needed(values.url, '--url'),
    token: needed(values.token ?? env['CROSSFOOT_TOKEN'], '--token or CROSSFOOT_TOKEN'),
    to: needed(values.to, '--to'),
    snapshot: values.snapshot ?? 'latest',
    tables: values.tables?.split(',') ?? null,
    retracted: values.retracted,
    keys: values.key === undefined ? [] : keysIn(values.key),
  };
}

function parsed(args: readonly string[]) {
  const [text, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const];
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: text,
        token: text,
        to: text,
        snapshot: text,
        tables: text,
        retracted: flag,
        key: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new PullStopped(2, error instanceof Error ? error.message : String(error));
  }
}

/** A key, or the keys of a file such as `allowed_signers` or `id_ed25519.pub`. */
function keysIn(text: string): readonly string[] {
  if (readPublicKey(text) !== null) return [text];
  let lines: string;
  try {
    lines = readFileSync(text, 'utf8');
  } catch {
    throw new PullStopped(
      2,
      `--key must be an Ed25519 key of OpenSSH or a file of such keys, found ${text}.`,
    );
  }
  const keys = keysOnLines(lines);
  if (keys.length === 0) throw new PullStopped(2, `--key: ${text} holds no line with ssh-ed25519 and a key.`);
  return keys;
}

function needed(value: string | undefined, name: string): string {
  if (value === undefined || value.trim() === '') throw new PullStopped(2, `${name} is missing.`);
  if (name === '--url' && !/^https?:\/\/[^?#]+$/.test(value)) {
    throw new PullStopped(2, `--url must be an http(s) address, found ${JSON.stringify(value)}.`);
  }
  return value.trim();
}
