/** What must be true after a build met a fault, whichever it was. */
import type { Store } from '../../../src/store/store.ts';
import { servedNumber } from './served-build.ts';
import { type StagedFiles, publishNumber } from './staged-build.ts';

/** How the build that met it ended. */
export type BuildEnd = 'failed' | 'killed' | 'published';

interface After {
  readonly store: Store;
  readonly files: StagedFiles;
  /** The build that met it; the one before it was whole. */
  readonly number: number;
}

/** Throws unless a reader is shown the build before or the whole new one, and the next build is published. */
export async function holdAfter(end: BuildEnd, { store, files, number }: After): Promise<void> {
  const served = await servedNumber(store, files);
  // A killed or failed build may have done the last step already; a build that says "published" has.
  if (served !== number && (end === 'published' || served !== number - 1)) {
    throw new Error(`build ${number} ${end}, and a reader is shown build ${served}`);
  }
  const { outcome } = await publishNumber(store, files, number + 1);
  if (outcome !== 'published') throw new Error(`the next build was ${outcome}`);
}
