/** The styles and scripts of the pages, as they lie in `assets`. */
import { readFile } from 'node:fs/promises';
import type { PageFiles } from '../../serve/frame/page-files.ts';

/** The parts of the style of every page, in the order in which later rules win. */
const SITE_STYLES = [
  'frame',
  'text',
  'data',
  'rows',
  'moves',
  'night',
  'statement',
  'charts',
  'rankings',
  'narrow-money',
];

/** Reads them all: a server reads each once, at its start. */
export async function readPageFiles(): Promise<PageFiles> {
  const [siteStyles, apiStyle, siteScript, proverPage, proverWorker] = await Promise.all([
    Promise.all(SITE_STYLES.map((name) => read(`styles/${name}.css`))),
    read('styles/api.css'),
    read('page-script.js'),
    read('prove-page.js'),
    read('prove-worker.js'),
  ]);
  return { siteStyle: siteStyles.join(''), apiStyle, siteScript, proverPage, proverWorker };
}

function read(name: string): Promise<string> {
  return readFile(new URL(`../../../assets/${name}`, import.meta.url), 'utf8');
}
