/** How the transfers of one pull share their tries, their waits and their end; in this process, where a test can see inside the wait. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask } from '../../src/client/ask.ts';
import { Interruption, PullStopped } from '../../src/client/errors.ts';
import { pull } from '../../src/client/pull.ts';
import { retry } from '../../src/client/retry.ts';
import { manifestOf, type ScriptedServer, sha256, SNAPSHOT_ID, startScripted } from './scripted-server.ts';

afterEach(() => void vi.restoreAllMocks());

describe('an attempt that is interrupted', () => {
  const said: string[] = [];
  beforeEach(() => {
    said.length = 0;
    vi.spyOn(Math, 'random').mockReturnValue(0); // the shortest wait of each try
  });
  const tools = { signal: new AbortController().signal, say: (line: string) => void said.push(line) };

  it('is tried again at once for no other error', async () => {
    let tries = 0;
    const stopped = new PullStopped(3, 'The server refused: 403.');
    const running = retry('manifest', tools, () => {
      tries += 1;
      throw stopped;
    });
    await expect(running).rejects.toBe(stopped);
    expect([tries, said]).toEqual([1, []]);
  });

  it.each([
    [7, 30_000, 0],
    [1, 500, 0],
    [1, 7_000, 7_000],
    [7, 30_000, 7_000],
  ])('waits after try %i for %i ms at most, where the server asks for %i', async (nth, most_ms, asked_ms) => {
    const stop = new AbortController();
    let tries = 0;
    const waiting = retry(
      'manifest',
      {
        signal: stop.signal,
        say: (line) => {
          if (tries !== nth) return;
          said.push(line);
          stop.abort(new PullStopped(1, 'Stopped.'));
        },
      },
      async () => {
        tries += 1;
        vi.spyOn(Math, 'random').mockReturnValue(tries === nth ? 1 : 0);
        throw new Interruption('busy', tries === nth ? asked_ms : 0);
      },
    );
    await expect(waiting).rejects.toThrow('abort');
    expect(said).toEqual([`manifest: busy; again in ${(most_ms / 1000).toFixed(1)} s`]);
  });
});

it('a transfer goes on for longer than a minute while bytes come', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let answer: ServerResponse | undefined;
  const server = await startScripted((_, response) => {
    answer = response;
    response.write('a');
    return true;
  });
  const asked = { url: server.url, token: 'a token', signal: new AbortController().signal };
  try {
    const received = await ask(asked, '/slow', {}, async ({ pieces }) => {
      let text = '';
      for await (const piece of pieces) {
        text += Buffer.from(piece).toString();
        vi.advanceTimersByTime(59_000);
        if (text.length < 4) answer?.write('b');
        else answer?.end();
      }
      return text;
    });
    expect(received).toBe('abbb');
  } finally {
    vi.useRealTimers();
    await server.close();
  }
});

it.each(['headers', 'body'])(
  'a transfer is interrupted after a minute without a byte of its %s',
  async (part) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
    const server = await startScripted((_, response) => {
      if (part === 'body') response.write('a');
      else isAsked();
      return true;
    });
    const line = { url: server.url, token: 'a token', signal: new AbortController().signal };
    try {
      const running = ask(line, '/silent', {}, async ({ pieces }) => {
        for await (const _ of pieces) isAsked();
      }).catch((error: unknown) => error);
      await asked;
      vi.advanceTimersByTime(59_999);
      expect(await Promise.race([running, readdir(tmpdir()).then(() => 'waiting')])).toBe('waiting');
      vi.advanceTimersByTime(1);
      expect(await running).toEqual(new Interruption('the connection ended (no byte for 60 s)'));
    } finally {
      vi.useRealTimers();
      await server.close();
    }
  },
);

it('the error of a server that does not listen has the cause', async () => {
  const server = await startScripted();
  await server.close();
  const line = { url: server.url, token: 'a token', signal: new AbortController().signal };
  expect(await ask(line, '/any', {}, async () => null).catch((error: unknown) => error)).toEqual(
    new Interruption('the connection ended (ECONNREFUSED)'),
  );
});

describe('the files of one pull', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const bytes = Buffer.from('what each holds');
  const tables = names.map((name) => ({
    name,
    row_count: 1,
    size_bytes: bytes.length,
    sha256: sha256(bytes),
  }));
  let to: string;
  let server: ScriptedServer;
  let answers: (() => void)[];
  let refusesFirst: boolean;
  beforeEach(async () => {
    to = await mkdtemp(join(tmpdir(), 'crossfoot-transfers-'));
    [answers, refusesFirst] = [[], false];
    server = await startScripted((request, response) => {
      if (request.url?.endsWith('.parquet') !== true) {
        if (request.url?.endsWith('/latest') === true) response.end(JSON.stringify(manifestOf({ tables })));
        else response.writeHead(404).end();
        return true;
      }
      if (refusesFirst && request.url.endsWith('/a.parquet')) {
        response.writeHead(403).end('{"error":{"message":"No."}}');
      } else answers.push(() => void response.end(bytes));
      return true;
    });
  });
  afterEach(async () => {
    await server.close();
    await rm(to, { recursive: true });
  });
  const started = (): Promise<{ readonly isNew: boolean }> =>
    pull(
      { url: server.url, token: 'a', to, snapshot: 'latest', tables: null, retracted: false, keys: [] },
      { say: () => undefined, signal: new AbortController().signal },
    );
  async function untilAsked(files: number): Promise<void> {
    // Each turn is a look at the disk: time for a request that should not be there.
    while (answers.length < files) await readdir(to);
    for (let turn = 0; turn < 50; turn += 1) await readdir(to);
  }

  it('are downloaded four at a time', async () => {
    const pulling = started();
    await untilAsked(4);
    expect(answers).toHaveLength(4);
    for (const answer of answers.splice(0)) answer();
    await untilAsked(2);
    for (const answer of answers.splice(0)) answer();
    expect(await pulling).toMatchObject({ isNew: true });
    expect((await readdir(join(to, SNAPSHOT_ID))).filter((name) => name.endsWith('.parquet'))).toEqual(
      names.map((name) => `${name}.parquet`),
    );
  });

  it('end when one is refused, with its refusal and without waiting for the others', async () => {
    refusesFirst = true;
    await expect(started()).rejects.toMatchObject({ exit: 3, message: 'The server refused: 403 No.' });
    expect((await readdir(to)).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(server.asked.some(({ path }) => path.endsWith('/f.parquet'))).toBe(false);
  });
});
