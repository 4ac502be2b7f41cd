/** How a build's process is started. */
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startBuild } from '../../src/commands/build-process.ts';

it.each([
  [null, ['7']],
  ['2026-07-15', ['7', '2026-07-15']],
] as const)('has a heap that ends, and is told account and night: %s', async (night, told) => {
  const child = startBuild(7n, night, {});
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
  const [, ...args] = child.spawnargs;
  expect(args).toContain('--max-old-space-size=512');
  expect(args.slice(-told.length)).toEqual(told);
  expect(args.at(-told.length - 1)).toMatch(/jobs\/build\.ts$/);
});
