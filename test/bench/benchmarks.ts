/** All benchmarks, in the order in which they are run. */
import type { Benchmark } from './benchmark.ts';
import { conversion } from './conversion.ts';
import { downloads } from './downloads.ts';
import { fileSize } from './file-size.ts';
import { asOf } from './ledgers/as-of.ts';
import { focusLoad } from './ledgers/focus-load.ts';
import { ledgerLoad } from './ledger-load.ts';
import { monthClose } from './month-close.ts';
import { readApi } from './read-api.ts';
import { search } from './search.ts';
import { pages } from './ledgers/pages.ts';
import { signedBuilds } from './ledgers/signed-builds.ts';
import { smallAccounts } from './ledgers/small-accounts.ts';
import { sharing } from './sharing.ts';
import { startUp } from './start-up.ts';
import { tableBuild } from './table-build.ts';
import { usage } from './ledgers/usage.ts';
import { wholeSnapshot } from './whole-snapshot.ts';

export const BENCHMARKS: readonly Benchmark[] = [
  tableBuild,
  wholeSnapshot,
  smallAccounts,
  signedBuilds,
  fileSize,
  downloads,
  sharing,
  readApi,
  asOf,
  pages,
  search,
  startUp,
  conversion,
  monthClose,
  ledgerLoad,
  focusLoad,
  usage,
];
