/** The image: what can be said of it without building it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The instructions of each stage, continued lines joined. */
const stages = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .filter((stage) => stage.startsWith('FROM '))
  .map((stage) => stage.trim().split(/\n+/));
const [packages = [], final = []] = stages;
const argumentOf = (stage: readonly string[], instruction: string): string | undefined =>
  stage.find((line) => line.startsWith(`${instruction} `))?.slice(instruction.length + 1);

it('the image installs with the Node line that package.json names and runs the Node of the lock file', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  const line = /^\^(\d+)\./.exec(dependencies['node'] ?? '')?.[1];
  expect(argumentOf(packages, 'FROM')).toBe(`node:${line}-bookworm-slim AS packages`);
  expect(packages.at(-1)).toBe('RUN npm ci --omit=dev && npm cache clean --force');
  // The package's binary comes first on the path, and the last stage has no other.
  expect(argumentOf(final, 'FROM')).toBe('debian:bookworm-slim');
  expect(argumentOf(final, 'ENV')).toContain('PATH=/app/node_modules/.bin:');
});

it('the image ends in a stage that installs nothing and runs as an unprivileged user', () => {
  expect(stages).toHaveLength(2);
  const runs = final.filter((line) => line.startsWith('RUN '));
  expect(runs).toEqual([
    'RUN install --directory --owner=10001 --group=10001 /data node_modules/.cache',
    'RUN node src/cli.ts --help > /dev/null',
  ]);
  // Node keeps compiled modules apart for each user: the user of the program must make them.
  expect(final.indexOf(runs[1] ?? '')).toBeGreaterThan(final.indexOf('USER 10001:10001'));
  expect(argumentOf(final, 'USER')).toBe('10001:10001');
  expect(argumentOf(final, 'VOLUME')).toBe('/data');
  expect(argumentOf(final, 'ENV')).toContain('DATA_DIR=/data');
});

it('the image copies every room the program runs from, and the ignore file lets them through', () => {
  const copied = final
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied.toSorted()).toEqual([
    'LICENSE',
    'assets',
    'bin',
    'docs',
    'fixtures',
    'jobs',
    'package.json',
    'schema',
    'src',
  ]);
  const through = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  for (const name of [...copied, 'package-lock.json', '.npmrc']) {
    expect(existsSync(new URL(`../../${name}`, import.meta.url)), `${name} is there`).toBe(true);
    expect(through).toContain(`!${name}`);
  }
});

it.each([
  [200, 0],
  [503, 1],
])('the health check of an answer of %i exits with %i', async (status, code) => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/healthz' ? status : 404;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const check = argumentOf(final, 'HEALTHCHECK')?.replace(/^.*?CMD /, '') ?? '';
    const [, ...args] = JSON.parse(check) as string[];
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const ran = promisify(execFile)(process.execPath, args, { env });
    expect(
      await ran.then(
        () => 0,
        (error: { code: number }) => error.code,
      ),
    ).toBe(code);
  } finally {
    server.close();
  }
});
