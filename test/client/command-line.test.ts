/** What `pull.mjs` takes from its arguments and its environment, and what it says of wrong ones; in this process. */
import { expect, it } from 'vitest';
import { readCommandLine } from '../../src/client/command-line.ts';
import type { PullStopped } from '../../src/client/errors.ts';
import { PUBLIC_KEY } from '../support/signing.ts';

const NEEDED = ['--url', 'https://host/v1', '--to', 'folder'];
const LEFT_OUT = { snapshot: 'latest', tables: null, retracted: false, keys: [] };

it('a pull without further options takes all tables of the newest snapshot, none retracted, by the known keys', () => {
  expect(readCommandLine([...NEEDED, '--token', 'a'], {})).toEqual({
    url: 'https://host/v1',
    token: 'a',
    to: 'folder',
    ...LEFT_OUT,
  });
});

it('each option of a pull is taken as written, without the blanks around address, token and folder', () => {
  const args = ['--url', 'http://host ', '--to', ' folder', '--token', ' a ', '--key', PUBLIC_KEY];
  const chosen = ['--snapshot', '20260715T020000Z', '--tables', 'snapshot,costs', '--retracted'];
  expect(readCommandLine([...args, ...chosen], { CROSSFOOT_TOKEN: 'b' })).toEqual({
    url: 'http://host',
    token: 'a',
    to: 'folder',
    snapshot: '20260715T020000Z',
    tables: ['snapshot', 'costs'],
    retracted: true,
    keys: [PUBLIC_KEY],
  });
});

it('the token of the environment is taken if there is no --token', () => {
  expect(readCommandLine(NEEDED, { CROSSFOOT_TOKEN: 'b\n' })).toMatchObject({ token: 'b', ...LEFT_OUT });
});

it('help is given although each needed option is missing', () => {
  expect(readCommandLine(['--help'], {})).toBeNull();
});

it.each([
  ['no address', ['--to', 'x', '--token', 'a'], '--url is missing.'],
  ['a blank address', ['--url', ' ', '--to', 'x', '--token', 'a'], '--url is missing.'],
  ['no folder', ['--url', 'https://host', '--token', 'a'], '--to is missing.'],
  ['a blank folder', ['--url', 'https://host', '--to', '', '--token', 'a'], '--to is missing.'],
  ['no token', NEEDED, '--token or CROSSFOOT_TOKEN is missing.'],
  ...['ftp://host', 'https://', 'host/v1', 'https://host/v1?a=b', 'https://host/v1#a'].map(
    (url) =>
      [
        `the address ${url}`,
        ['--url', url, '--to', 'x', '--token', 'a'],
        `--url must be an http(s) address, found "${url}".`,
      ] as const,
  ),
  [
    'a key that is none',
    [...NEEDED, '--token', 'a', '--key', '/no/such/key.pub'],
    '--key must be an Ed25519 key of OpenSSH or a file of such keys, found /no/such/key.pub.',
  ],
] as const)('a pull with %s is refused as wrong usage', (_, args, sentence) => {
  const refusal = expect.objectContaining({ exit: 2, status: null, message: sentence }) as PullStopped;
  expect(() => readCommandLine(args, {})).toThrow(refusal);
});
