/** The form of `HOST` and `METRICS_HOST`: a URL is made of it later, with a port. */
import { expect, it } from 'vitest';
import { publicBaseUrl, readSettings } from '../src/config.ts';

/** A scheme, a port, a path or a name that no URL can be made of: the start says so, not the first build. */
const HOST_FAULTS = [
  'a b',
  'http://localhost',
  '127.0.0.1:5432',
  'localhost:5432',
  'localhost:',
  ':5432',
  '[::1]',
  '[::1]:5432',
  '::1:',
  'localhost/v1',
  '127.0.0.1/8',
  '/run/socket',
  'user@localhost',
  'localhost?',
  'localhost#1',
  'fe80::1%eth0',
  '127.0.0.256',
  '1.2.3.4.5',
  '.',
  '-',
  '*',
];

it.each([
  'localhost',
  'db_1.example.com',
  'my-host.',
  '0.0.0.0',
  '10.1',
  '::',
  '2001:db8::5',
  '::ffff:10.0.0.1',
])('the settings take the host %s, of which a URL can be made', (host) => {
  const settings = readSettings({ HOST: host, METRICS_HOST: host });
  expect([settings.host, settings.metricsHost]).toEqual([host, host]);
  expect(URL.canParse(publicBaseUrl(settings, 1))).toBe(true);
});

it.each(HOST_FAULTS)(
  'the settings refuse the host %s at the start, naming both settings that have it',
  (host) => {
    const both = 'must be a host name or an address, without scheme, port and path';
    expect(() => readSettings({ HOST: host, METRICS_HOST: host })).toThrow(
      `HOST ${both}, found ${JSON.stringify(host)}; METRICS_HOST ${both}`,
    );
  },
);
