/** What a build works with: a ledger, a store, a spool, checks and clocks. */
import type { Clock } from '../../clock.ts';
import type { WarmThread } from '../../parquet/warm-thread.ts';
import type { SqlScript } from '../../sql-scripts.ts';
import type { Store } from '../../store/store.ts';
import type { SchemaDescription } from '../../tables/describe.ts';
import type { BuildLayout } from '../../store-settings.ts';
import type { FileSet } from '../../tables/file-set.ts';
import type { CheckHead } from '../read/seen-heads.ts';
import type { SpoolFileSystem } from '../spool/spool.ts';
import type { BuildClocks, Connections } from './build-moment.ts';
import type { BuildEvent } from './events.ts';
import type { JustPublished } from './just-published.ts';
import type { ShareRanges } from './shared-ranges.ts';

/** The scripts that audit each set. */
export type SetChecks = ReadonlyMap<FileSet, readonly SqlScript[]>;

export interface BuildTools extends BuildClocks, Connections {
  readonly store: Store;
  readonly clock: Clock;
  readonly checkHead?: CheckHead | undefined;
  readonly fs: SpoolFileSystem;
  readonly spoolRoot: string;
  /** How the files are stored; `objects` if omitted. */
  readonly layout?: BuildLayout | undefined;
  /** The worker thread that encodes the files of this and later builds; if omitted, each build starts its own. */
  readonly thread?: WarmThread | undefined;
  /** The number of ranges of tables that are read at the same time; 1 if omitted. */
  readonly range_lanes?: number | undefined;
  /** Offers ranges of tables to other workers; if omitted, this process reads all of them. */
  readonly shareRanges?: ShareRanges | undefined;
  /** For tests: the rows in a row group of every file, instead of those that the tables declare. */
  readonly group_rows?: number | undefined;
  readonly description: SchemaDescription;
  /** The scripts of `schema/audit`, filled in for the tables of the description. */
  readonly checks: readonly SqlScript[];
  /** The scripts that audit the sets beside the reporting tables. The snapshot has no set without its scripts. */
  readonly checksBeside?: SetChecks | undefined;
  /** Returns 128 random bits in lower-case hex, different for each mark. */
  readonly newNonce: () => string;
  /** Name and version of this program, for the manifest. */
  readonly writer: string;
  readonly onEvent: (event: BuildEvent) => void;
  /** Called once the snapshot is published, while its files still lie in the spool. It must not throw. */
  readonly afterPublished?: ((published: JustPublished) => Promise<void>) | undefined;
}
