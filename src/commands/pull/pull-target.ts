/** `--into`: the database into which a pulled snapshot is loaded. */
import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CrossfootError } from '../../errors.ts';
import type { PulledSnapshot } from '../../warehouse/pulled-files.ts';

export interface PullTarget {
  /** Its name for people, without a password. */
  readonly name: string;
  /** Loads a snapshot; false if the database has it already. */
  load(pulled: PulledSnapshot): Promise<boolean>;
}

/** Parses the option: `duckdb:<file>`, or a `postgres:` URL. */
export function parseTarget(
  text: string,
  { schema, history }: { readonly schema: string; readonly history: boolean },
): PullTarget {
  const [, kind, rest = ''] = /^(duckdb|postgres(?:ql)?):(.+)$/s.exec(text) ?? [];
  if (kind === 'duckdb') {
    const file = resolve(rest);
    if (!existsSync(dirname(file))) {
      throw new CrossfootError('usage_invalid', `--into: the folder ${dirname(file)} is not there.`, {
        hint: 'Create the folder, then pull again.',
      });
    }
    return {
      name: file,
      async load(pulled) {
        const { loadIntoDuckdb } = await import('../../warehouse/into-duckdb.ts');
        return await loadIntoDuckdb(pulled, { file, schema, history });
      },
    };
  }
  const url = rest.startsWith('//') ? text : rest;
  if (kind === undefined || !/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CrossfootError('usage_invalid', '--into must be duckdb:<file> or postgres:<url>.');
  }
  const { host, pathname } = new URL(url);
  return {
    name: `${host}${pathname}`,
    async load(pulled) {
      const { loadIntoPostgres } = await import('../../warehouse/into-postgres.ts');
      await using temporary = await mkdtempDisposable(join(tmpdir(), 'crossfoot-pull-'));
      return await loadIntoPostgres(pulled, { url, schema, history, temporary: temporary.path });
    },
  };
}
