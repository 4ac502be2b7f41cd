/** Bytes that are no request, or not quite: each is sent on a connection of its own, whose sending side then ends. */
import { oddText } from './odd-values.ts';
import type { Seeded } from './seeded.ts';

const HOST = 'Host: localhost\r\n';
const CORPUS: readonly [string, ...string[]] = [
  'hello\r\n\r\n',
  '\r\n\r\n\r\n',
  '\0\0\0\0',
  '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET /\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET http://evil.example/v1/roi HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  `TRACE /v1/roi HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  `GET /healthz HTTP/1.1\n${HOST.replace('\r', '')}\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}Content-Length: 0\r\nContent-Length: 4\r\n\r\nGET `,
  `GET /healthz HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  `POST /mcp HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`,
  `POST /mcp HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n`,
  `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
  `POST /mcp HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}X: a\r\n folded\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}Expect: a-miracle\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}${'X: 1\r\n'.repeat(60)}\r\n`,
  `GET /healthz HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`,
  `GET /${'a'.repeat(17_000)} HTTP/1.1\r\n${HOST}\r\n`,
];
const CHANGES: readonly [string, ...string[]] = [
  '\0',
  '\r',
  '\n',
  ' ',
  ':',
  '\xff',
  '%',
  '/',
  '..',
  '\\',
  '{',
  ';',
];
const STEPS: readonly [string, ...string[]] = [
  '../',
  '%2e%2e/',
  '..%2f',
  '..%5c',
  '..\\',
  '%00',
  './',
  '//',
  '%252e%252e%252f',
];

/** One of the corpus, a path that steps upwards, or a good request with some bytes changed, cut or doubled. */
export function rawRequest(good: string, seed: Seeded): string {
  if (seed.percent(25)) return seed.pick(CORPUS);
  const [line = '', ...rest] = good.split('\r\n');
  if (seed.percent(30))
    return [line.replace('/v1/', `/v1/${seed.pick(STEPS)}${seed.pick(STEPS)}`), ...rest].join('\r\n');
  if (seed.percent(20))
    return [line, `X-Odd: ${Buffer.from(oddText(seed)).toString('latin1')}`, ...rest].join('\r\n');
  let text = good;
  for (let changes = 1 + seed.below(3); changes > 0; changes -= 1) {
    const at = seed.below(text.length);
    const skipped = seed.pick([0, 1, 1, 8]);
    text = text.slice(0, at) + (seed.percent(70) ? seed.pick(CHANGES) : '') + text.slice(at + skipped);
  }
  return seed.percent(20) ? text.slice(0, seed.below(text.length)) : text;
}
