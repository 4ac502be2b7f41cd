/** The script of every page, as it is served. What it does is tried in Chromium, by `npm run campaign -- pages`. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

const SCRIPT = await readFile(new URL('../../assets/page-script.js', import.meta.url), 'utf8');

describe('the script of every page', () => {
  it('has less than 30 kB', () => {
    expect(Buffer.byteLength(SCRIPT)).toBeLessThan(30_000);
  });

  it('makes text of what it shows, asks no server for anything, and keeps nothing', () => {
    expect(SCRIPT).not.toMatch(/innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|\bFunction\(/);
    expect(SCRIPT).not.toMatch(/\bfetch\b|XMLHttpRequest|WebSocket|sendBeacon|\bimport\b|Worker/);
    expect(SCRIPT).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/);
  });
});
