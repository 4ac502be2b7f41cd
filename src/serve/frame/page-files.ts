/** The styles and scripts that pages load. */
import { defineFile } from './define-page.ts';
import { PAGE_SOURCES } from './page-guard.ts';

/** Their texts: styles are written by hand, scripts are made by `npm run generate`. */
export interface PageFiles {
  readonly siteStyle: string;
  readonly apiStyle: string;
  readonly siteScript: string;
  readonly proverPage: string;
  readonly proverWorker: string;
}

interface Parts {
  readonly pageFiles: PageFiles;
}

// A newer server has a newer script, with another entity tag.
const REVALIDATED = { 'cache-control': 'public, no-cache' } as const;

export const siteStyle = defineFile({
  path: '/docs/site.css',
  type: 'css',
  loads: PAGE_SOURCES,
  says: 'The style of every page.',
  text: ({ pageFiles }: Parts) => pageFiles.siteStyle,
});

export const siteScript = defineFile({
  path: '/docs/site.js',
  type: 'javascript',
  loads: [],
  says: 'The script of every page: copying, and exact figures below the pointer.',
  text: ({ pageFiles }: Parts) => pageFiles.siteScript,
});

export const apiStyle = defineFile({
  path: '/docs/api/page.css',
  type: 'css',
  loads: PAGE_SOURCES,
  says: "The style of the API's pages.",
  text: ({ pageFiles }: Parts) => pageFiles.apiStyle,
});

export const proverPage = defineFile({
  path: '/prove/page.js',
  type: 'javascript',
  loads: [],
  headers: REVALIDATED,
  says: 'The script of the page that proves a snapshot.',
  text: ({ pageFiles }: Parts) => pageFiles.proverPage,
});

/** A worker has a policy of its own. */
export const proverWorker = defineFile({
  path: '/prove/worker.js',
  type: 'javascript',
  loads: ["connect-src 'self'"],
  headers: REVALIDATED,
  says: 'The worker of that script, which checks the files.',
  text: ({ pageFiles }: Parts) => pageFiles.proverWorker,
});
