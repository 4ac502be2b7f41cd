/** Libraries with known holes: not the versions that have them, and not the parts of them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const lock = z
  .object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
  .parse(JSON.parse(readFileSync(join(TOP, 'package-lock.json'), 'utf8')));

/** The first version without the hole. */
const FLOORS = [
  ['@hono/node-server', '1.19.15', 'GHSA-92pp-h63x-v22m and GHSA-frvp-7c67-39w9: what serveStatic serves'],
  ['hono', '4.13.5', 'three advisories of its middlewares'],
] as const;

describe('A-19: a library', () => {
  it.each(FLOORS)('%s is no older than %s (%s)', (name, floor) => {
    const found = lock.packages[`node_modules/${name}`]?.version ?? '0';
    expect(found.localeCompare(floor, 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
  });

  it('that serves folders is used nowhere: every file that is served was named by us', () => {
    const sources = readdirSync(join(TOP, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const serving = sources.filter((file) =>
      /serveStatic|serve-static/.test(readFileSync(join(TOP, 'src', file), 'utf8')),
    );
    expect(sources.length).toBeGreaterThan(200);
    expect(serving).toEqual([]);
  });
});
