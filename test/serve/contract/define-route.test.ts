/** Declared routes: what declaring one in its file, and naming it once in the list, is enough for. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '../../../src/serve/api-routes.ts';
import type { ServeEnv } from '../../../src/serve/auth/authenticate.ts';
import { defineRoute } from '../../../src/serve/contract/define-route.ts';
import { answerError } from '../../../src/serve/http/error-answer.ts';

describe('a declared route', () => {
  const greet = defineRoute(
    {
      path: '/greetings/{name}.txt',
      security: [],
      request: {
        params: z.object({ name: z.string() }),
        query: z.strictObject({ loud: z.enum(['true'], { error: 'must be true' }).optional() }),
      },
      responses: { 200: { description: 'The greeting.' } },
    },
    ({ word }: { readonly word: string }) =>
      (c) =>
        c.text(`${word} ${c.req.valid('param').name}${c.req.valid('query').loud === 'true' ? '!' : ''}`),
  );
  const app = new OpenAPIHono<ServeEnv>();
  app.onError(answerError);
  greet.register(app, { word: 'Hello', authenticate: async () => null });
  const ask = async (path: string) => {
    const answer = await app.request(path);
    return `${answer.status} ${await answer.text()}`;
  };

  it('gets its parameter without the suffix of the path', async () => {
    expect(await ask('/greetings/ada.txt')).toBe('200 Hello ada');
    expect(await ask('/greetings/ada.txt?loud=true')).toBe('200 Hello ada!');
  });

  it('does not answer a path with another suffix, or without one', async () => {
    for (const path of ['/greetings/ada', '/greetings/ada.csv', '/greetings/adatxt', '/greetings/.txt']) {
      expect(await ask(path)).toContain('404');
    }
  });

  it('refuses a value that its declaration does not allow, and a parameter that it does not name', async () => {
    expect(await ask('/greetings/ada.txt?loud=no')).toContain('400 {"error":');
    expect(await ask('/greetings/ada.txt?loud=no')).toContain('The parameter loud must be true.');
    expect(await ask('/greetings/ada.txt?lowd=true')).toContain('does not accept the parameter');
  });
});

/** The files of `src/serve`, each with its text. */
const SOURCES = readdirSync('src/serve', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => ({ path, text: readFileSync(join('src/serve', path), 'utf8') }));

/** The files there that import this name from the file at `path`. */
function importers(name: string, path: string): string[] {
  const line = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/${basename(path)}'`);
  return SOURCES.filter(({ text }) => line.test(text)).map((source) => source.path);
}

describe('the declaration of a route', () => {
  const DECLARED = /^export const (\w+) = define(?:Route|Resource|FigureList)\(/gm;
  const declared = SOURCES.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARED)].map(([, name = '']) => ({ name, path })),
  );

  it('takes its own file and its line in one list', () => {
    // Nine resources, one of which shows single records too; 30 routes; and the two files that links lead to.
    expect(declared).toHaveLength(9 + 30 + 2);
    expect(API_ROUTES).toHaveLength(9 + 1 + 30);
    for (const { name, path } of declared) {
      const list = path.startsWith('resources/')
        ? 'resources/all.ts'
        : ['linkedTable', 'linkedChanges'].includes(name)
          ? 'app.ts' // outside the contract
          : 'api-routes.ts';
      expect([name, importers(name, path)]).toEqual([name, [list]]);
    }
  });
});
