/** Each capability is refused where it does not belong and accepted where it does. */
import { describe, expect, it } from 'vitest';
import { CAPABILITIES, refuseCapabilities } from './capability-rules.ts';
import { readSource, type Source } from './source.ts';

function sources(files: Readonly<Record<string, string>>): Source[] {
  return Object.entries(files).map(([path, text]) => readSource(path, text));
}

describe('the rules about what a room may do', () => {
  const examples: Record<string, string[]> = {
    'the environment': [
      'process.env.HOME;',
      "process.env['HOME'];",
      "process['env'];",
      "import { env } from 'node:process';",
    ],
    'a clock': ['Date.now();', 'new Date();', 'performance.now();', 'process.hrtime.bigint();'],
    'a timer': [
      'setTimeout(f, 1);',
      "import { setTimeout as sleep } from 'node:timers/promises';",
      'AbortSignal.timeout(1);',
    ],
    chance: ['Math.random();', 'randomBytes(8);', 'crypto.randomUUID();', 'crypto.getRandomValues(a);'],
    'the file system': ["import { readFile } from 'node:fs/promises';", "import * as fs from 'fs';"],
    'the terminal': ["process.stdout.write('x');", 'process.stderr.write(name);', 'console.log(name);'],
    'a redirect or a file name past their helper': [
      "c.redirect('../docs', 308);",
      'h(`attachment; filename="${name}.csv"`);',
    ],
    'a page or a route past its declaration': [
      'return c.html(page, 404);',
      "app.get('/budgets', handler);",
      "routes.on('GET', ['/budgets'], handler);",
      "import { Hono } from 'hono';",
      "const type = 'text/html; charset=utf-8';",
    ],
    'a rule of CSS': [
      'const STYLE = `.across { overflow-x: auto; }`;',
      'const STYLE = `:root {\n  --ink: #16202a;\n  color-scheme: light dark;\n}`;',
      'html`<p style="color: red">`;',
      "const head = '<style>';",
    ],
    'rows without declared columns': [
      'await client.query<Row>(text);',
      'const { rows } = await client.query(text);',
      'const { rows: found } = await client.query(text, [id]);',
      'return (await client.query(text)).rows;',
    ],
    SQL: [
      "import { db } from '../../database/query.ts';",
      "import { sql } from 'kysely';",
      "q('select 1');",
      'q(`\n  insert into ${t}`);',
      "q('set local role x');",
      "q('with a as (select 1) select')",
    ],
  };

  it('have an example each', () => {
    expect(Object.keys(examples)).toEqual(CAPABILITIES.map((each) => each.name));
  });

  it.each(Object.entries(examples).flatMap(([name, texts]) => texts.map((text) => [name, text] as const)))(
    'refuse %s where it does not belong: %s',
    (name, text) => {
      expect(refuseCapabilities(sources({ 'src/figures/a.ts': text }))).toEqual([
        `src/figures/a.ts: uses ${name}`,
      ]);
      expect(refuseCapabilities(sources({ 'test/a.test.ts': text }))).toEqual([]);
    },
  );

  it.each(CAPABILITIES.flatMap((each) => each.allowed.map((start) => [each.name, start] as const)))(
    'accept %s in %s',
    (name, start) => {
      const path = start.endsWith('.ts') ? start : start.endsWith('/') ? `${start}a.ts` : `${start}-a.ts`;
      for (const text of examples[name] ?? []) {
        expect(refuseCapabilities(sources({ [path]: text }))).toEqual([]);
      }
    },
  );

  it('accept what only looks like it', () => {
    const innocent = `
      import type { FileHandle } from 'node:fs/promises';
      // process.env, Date.now(), Math.random(), select 1
      const moment = new Date(0), words = 'selected rows', sleep = options.setTimeout, say = 'Update the plan.';
    `;
    expect(refuseCapabilities(sources({ 'src/figures/a.ts': innocent }))).toEqual([]);
  });
});
