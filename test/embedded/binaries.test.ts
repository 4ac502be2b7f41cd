import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findLauncher, ordinaryUser } from '../../src/embedded/binaries.ts';

describe('findLauncher', () => {
  it('starts programs directly for an ordinary user', async () => {
    const launch = await findLauncher({ uid: 1000, named: true });
    expect(launch('postgres', ['-V'])).toEqual(['postgres', ['-V']]);
  });

  it.each([
    ['root', { uid: 0, named: true }],
    ['a user without a name', { uid: 1234, named: false }],
  ])('says how to go on where %s may not use a user namespace', async (who, user) => {
    await expect(findLauncher(user, '/nonexistent/unshare')).rejects.toMatchObject({
      code: 'embedded_refused_user',
      message: expect.stringContaining(`refuses to run as ${who}`),
      hint: expect.stringContaining('ordinary user'),
    });
  });
});

describe('currentUser', () => {
  it('has no name where the id is in no passwd file, as in a container with --user', async () => {
    const program = `
      import { currentUser } from ${JSON.stringify(new URL('../../src/embedded/binaries.ts', import.meta.url).href)};
      process.stdout.write(JSON.stringify(currentUser()));`;
    const args = ['--user', '--map-user=54321', '--map-group=54321', process.execPath];
    const { stdout } = await promisify(execFile)('unshare', [
      ...args,
      '--input-type=module',
      '--eval',
      program,
    ]);
    expect(JSON.parse(stdout)).toEqual({ uid: 54_321, named: false });
  });
});

describe('ordinaryUser', () => {
  it('is a user name known to the machine, and null if there is none', () => {
    expect(ordinaryUser('root:x:0:0:root:/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\n')).toBe(1);
    expect(ordinaryUser('root:x:0:0:root:/root:/bin/sh\n')).toBe(65_534);
  });
});
