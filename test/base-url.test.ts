/** The addresses of the API and of the application, made from the settings. */
import { describe, expect, it } from 'vitest';
import { applicationUrl, publicBaseUrl, readSettings } from '../src/config.ts';

describe('the public base URL', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8787/v1'],
    ['0.0.0.0', 'http://localhost:8787/v1'],
    ['::', 'http://localhost:8787/v1'],
    ['::1', 'http://[::1]:8787/v1'],
  ])('is made from host %s and the bound port', (host, url) => {
    expect(publicBaseUrl({ host, baseUrl: null }, 8787)).toBe(url);
  });

  it('is the setting where there is one', () => {
    expect(publicBaseUrl({ host: '::', baseUrl: 'https://x/v1' }, 1)).toBe('https://x/v1');
  });
});

describe('BASE_URL', () => {
  it.each([
    ['https://Figures.Example/v1', 'https://figures.example/v1'],
    ['https://figures.example:443/v1', 'https://figures.example/v1'],
    ['http://figures.example:443/v1', 'http://figures.example:443/v1'],
    ['https://figures.example/a/../Below/v1', 'https://figures.example/Below/v1'],
    ['https://münchen.example/v1', 'https://xn--mnchen-3ya.example/v1'],
  ])('%s is named as clients spell it', (given, named) => {
    expect(readSettings({ BASE_URL: given }).baseUrl).toBe(named);
  });
});

describe('applicationUrl', () => {
  it('is the setting, without a closing slash', () => {
    expect(applicationUrl(readSettings({ APP_URL: 'https://app.example/' }))).toBe('https://app.example');
  });

  it('is where the API is reached, if no setting says otherwise', () => {
    expect(applicationUrl(readSettings({ BASE_URL: 'https://data.example/v1' }))).toBe(
      'https://data.example',
    );
    expect(applicationUrl(readSettings({ PORT: '9000' }))).toBe('http://127.0.0.1:9000');
  });
});
