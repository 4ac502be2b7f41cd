/** The catalogues of a server, with the real disk. */
import * as fs from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { cacheCatalogues, type Catalogues, type CatalogueTools } from '../../lake/catalogues.ts';
import { later } from '../../serve/limits/figure-slots.ts';

/** The catalogues of a server; closing stops the running thread. */
export function openCatalogues(given: Pick<CatalogueTools, 'now' | 'root' | 'snapshots'>): Catalogues {
  return cacheCatalogues({ ...given, fs, turn: () => setImmediate(), after: later });
}
