import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReadLimits, readSource } from '../../src/rates/read-source.ts';
import { parseSource } from '../../src/rates/source.ts';
import { certifyLoopback } from './certificate.ts';
import { type HttpsServer, serveHttps } from './https-server.ts';

const RATES = Buffer.from('Date,USD\n2026-07-14,1.1\n');
const LIMITS: ReadLimits = { bytes: 1_000, ms: 30_000 };

let folder: string;
let server: HttpsServer;
let other: HttpsServer;
let trusted: string[];

/** The same host and port, without https. */
const unsafe = (): string => server.address('/rates').replace('https:', 'http:');

const redirect =
  (location: string) =>
  (response: ServerResponse): void => {
    response.writeHead(302, { location }).end();
  };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crossfoot-rates-'));
  const certified = certifyLoopback();
  trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, certified.cert]);
  other = await serveHttps(certified, { '/rates': (response) => response.end(RATES) });
  server = await serveHttps(certified, {
    '/rates': (response) => response.end(RATES),
    '/moved': redirect('/rates'),
    '/elsewhere': redirect(other.address('/rates')),
    '/unsafe': (response) => redirect(unsafe())(response),
    ...Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((left) => [`/${left}`, redirect(left === 1 ? '/rates' : `/${left - 1}`)]),
    ),
    '/first/rates': redirect('/second/rates'),
    '/second/rates': redirect('third'),
    '/second/third': (response) => response.end(RATES),
    '/full': (response) => response.end(Buffer.alloc(1_000)),
    '/loop': redirect('/loop'),
    '/nowhere': (response) => response.writeHead(302).end(),
    '/made': (response) => response.writeHead(201, { location: '/rates' }).end(),
    '/busy': (response) => response.writeHead(503).end('later'),
    '/huge': (response) => response.end(Buffer.alloc(1_001)),
    '/packed': (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    '/silent': (response) => response.writeHead(200).write('Date'),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('Date', () => response.destroy());
    },
  });
});
afterAll(async () => {
  tls.setDefaultCACertificates(trusted);
  await Promise.all([server.close(), other.close(), rm(folder, { recursive: true })]);
});

const read = (text: string, limits = LIMITS, signal = new AbortController().signal): Promise<Buffer> =>
  readSource(parseSource(text), signal, limits);
const refusal = async (text: string, limits = LIMITS): Promise<string> => {
  const error: unknown = await read(text, limits).catch((each: unknown) => each);
  expect(error).toMatchObject({ code: 'rates_not_read', exitCode: 1 });
  return (error as Error).message;
};

describe('a source', () => {
  it('is a file, by its path or as an address', async () => {
    const path = join(folder, 'rates.csv');
    await writeFile(path, RATES);
    expect(await read(path)).toEqual(RATES);
    expect(await read(pathToFileURL(path).href)).toEqual(RATES);
  });

  it('is an address that is read over https', async () => {
    expect(await read(server.address('/rates'))).toEqual(RATES);
  });

  it('may move to another address of its host', async () => {
    expect(await read(server.address('/moved'))).toEqual(RATES);
    expect(await read(server.address('/5'))).toEqual(RATES);
    expect(await refusal(server.address('/6'))).toContain('redirects more than 5 times');
  });

  it('may redirect to an address relative to the last one', async () => {
    expect(await read(server.address('/first/rates'))).toEqual(RATES);
  });

  it('may be as large as the limit, to the byte', async () => {
    expect(await read(server.address('/full'))).toEqual(Buffer.alloc(1_000));
  });

  it.each([
    'http://127.0.0.1/rates',
    'ftp://host/rates',
    'https://me:secret@host/rates',
    'https://:secret@host/rates',
    'https://secret@host/rates',
    'file://host/rates',
  ])('refuses anything else as wrong usage, without repeating a secret: %s', (address) => {
    expect(() => parseSource(address)).toThrow(
      expect.objectContaining({ code: 'usage_invalid', exitCode: 2 }),
    );
    expect(() => parseSource(address)).not.toThrow(/secret/);
  });
});

describe('a source that is refused', () => {
  it('redirects to another host, which is not even asked', async () => {
    expect(await refusal(server.address('/elsewhere'))).toContain('another host is not followed');
    expect(other.asked).toEqual([]);
  });

  it('redirects to an address without https', async () => {
    expect(await refusal(server.address('/unsafe'))).toContain(`redirects to ${unsafe()}`);
  });

  it('redirects for ever, or to nowhere', async () => {
    expect(await refusal(server.address('/loop'))).toContain('redirects more than 5 times');
    expect(await refusal(server.address('/nowhere'))).toContain('it answered 302');
  });

  it.each([
    ['/busy', 'it answered 503'],
    ['/absent', 'it answered 404'],
    ['/made', 'it answered 201'],
  ])('answers with anything but a file: %s', async (path, why) => {
    expect(await refusal(server.address(path))).toContain(why);
  });

  it('is larger than a history can be, as it comes or unpacked on the way', async () => {
    expect(await refusal(server.address('/huge'))).toContain('larger than 1000 bytes');
    expect(await refusal(server.address('/packed'))).toContain('larger than 1000 bytes');
    expect(await refusal('/dev/zero')).toBe('/dev/zero could not be read: it is larger than 1000 bytes.');
  });

  it('takes too long', async () => {
    expect(await refusal(server.address('/silent'), { bytes: 1_000, ms: 50 })).toContain(
      'longer than 0.05 s',
    );
  });

  it('ends before it is whole', async () => {
    expect(await refusal(server.address('/cut'))).toMatch(/could not be read/);
  });

  it('is not there', async () => {
    expect(await refusal(join(folder, 'absent.csv'))).toContain(
      'absent.csv could not be read: there is no such file.',
    );
  });

  it('has a certificate of an unknown authority', async () => {
    const stranger = await serveHttps(certifyLoopback(), { '/rates': (response) => response.end(RATES) });
    try {
      expect(await refusal(stranger.address('/rates?key=hunter2'))).toMatch(/certificate/);
      expect(await refusal(stranger.address('/rates?key=hunter2'))).not.toContain('hunter2');
      expect(stranger.asked).toEqual([]);
    } finally {
      await stranger.close();
    }
  });
});

it('a read of rates stops when it is aborted', async () => {
  const stop = new AbortController();
  const reading = read(server.address('/silent'), LIMITS, stop.signal);
  const reason = new Error('stopped by SIGINT');
  stop.abort(reason);
  // The stop itself, and not a source that could not be read.
  await expect(reading).rejects.toBe(reason);
});
