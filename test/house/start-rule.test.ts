/** The rule about what is loaded before a command runs, on an example that keeps it and some that break it. */
import { expect, it } from 'vitest';
import { readSource } from './source.ts';
import { refuseSlowStart } from './start-rule.ts';

const KEPT = {
  'src/cli.ts': "const { program } = await import('./commands/program.ts');",
  'src/commands/program.ts': "import { Command } from 'commander'; import { addServe } from './serve.ts';",
  'src/commands/serve.ts': "import type { Client } from 'pg'; const f = () => import('../run/serve.ts');",
  'src/run/serve.ts': "import { Hono } from 'hono';",
};

function refused(files: Readonly<Record<string, string>>): readonly string[] {
  return refuseSlowStart(Object.entries(files).map(([path, text]) => readSource(path, text)));
}

it('the rule accepts modules that a command loads when it runs, and types', () => {
  expect(refused(KEPT)).toEqual([]);
});

it('the rule refuses a package that help and wrong usage do not need, over any number of imports', () => {
  const early = "import { serve } from '../run/serve.ts';";
  expect(refused({ ...KEPT, 'src/commands/serve.ts': early })).toEqual([
    'src/run/serve.ts: is loaded before a command runs, and loads hono',
  ]);
});

it('the rule refuses a program that loads many files before a command runs', () => {
  const names = Array.from({ length: 60 }, (_, at) => `a${at}.ts`);
  const files = { 'src/cli.ts': names.map((name) => `import './${name}';`).join(' ') };
  expect(refused({ ...files, ...Object.fromEntries(names.map((name) => [`src/${name}`, ''])) })).toEqual([
    'src/cli.ts: loads 61 files before a command runs, 60 at most',
  ]);
});
