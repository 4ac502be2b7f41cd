/** All benchmarks, in the order in which they are run. */
import type { Benchmark } from './benchmark.ts';
import { conversion } from './conversion.ts';
import { downloads } from './downloads.ts';
import { fileSize } from './file-size.ts';
import { asOf } from './ledgers/as-of.ts';
import { focusLoad } from './ledgers/focus-load.ts';
import { ledgerLoad } from './ledger-load.ts';
import { costsPeers } from './peers/costs-peers.ts';
import { snapshotPeers } from './peers/snapshot-peers.ts';
import { readApi } from './read-api.ts';
import { search } from './search.ts';
import { pages } from './ledgers/pages.ts';
import { smallAccounts } from './ledgers/small-accounts.ts';
import { sharing } from './sharing.ts';
import { startUp } from './start-up.ts';
import { tableBuild } from './table-build.ts';
import { usage } from './ledgers/usage.ts';
import { wholeSnapshot } from './whole-snapshot.ts';

export const BENCHMARKS: readonly Benchmark[] = [
  tableBuild,
  costsPeers,
  wholeSnapshot,
  snapshotPeers,
  smallAccounts,
  fileSize,
  downloads,
  sharing,
  readApi,
  asOf,
  pages,
  search,
  startUp,
  conversion,
  ledgerLoad,
  focusLoad,
  usage,
];
