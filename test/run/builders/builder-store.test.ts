import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSettings } from '../../../src/config.ts';
import { builderStore } from '../../../src/run/builders/builder-store.ts';
import { quickFolder } from '../../support/quick-folder.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(quickFolder(), 'crossfoot-builder-store-'));
});
afterAll(() => rm(root, { recursive: true }));

function openerOf(name: string): ReturnType<typeof builderStore> {
  const objectStore = pathToFileURL(join(root, name));
  return builderStore({ ...readSettings({ DATA_DIR: root }), objectStore });
}

it('a builder tests its store once: its later builds get the same store, and its marker stands', async () => {
  const open = openerOf('once');
  const store = await open();
  expect(await open()).toBe(store);
  expect(await readdir(join(root, 'once', 'v1', 'probe'))).toEqual(['00000000-0000-0000-0000-000000000000']);
});

it('a builder opens a store again that failed before', async () => {
  const open = openerOf('file');
  await writeFile(join(root, 'file'), 'no folder');
  await expect(open()).rejects.toBeInstanceOf(Error);
  await rm(join(root, 'file'));
  expect(await open()).toBe(await open());
});
