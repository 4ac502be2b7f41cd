/** Opens the metrics of a running server, if METRICS_PORT is set. */
import type { Metric } from '@prometheus-io/client';
import type { Pool } from 'pg';
import type { Settings } from '../../config.ts';
import { readReportingAccounts } from '../../ledger/accounts.ts';
import { readClock } from '../../ledger/clock.ts';
import type { Logger } from '../../log.ts';
import { queueGauges } from '../../ops/queue-metrics.ts';
import type { MetricsAnswer } from '../../serve/metrics/metrics.ts';
import { listenForMetrics } from '../../serve/metrics/metrics-listener.ts';
import { createMetrics } from '../../serve/metrics/metrics.ts';
import { watchSnapshotAges } from '../../serve/metrics/snapshot-ages.ts';
import { readClocks } from '../../clock-offsets.ts';
import type { QuarantineWatch, SnapshotReader } from '../../snapshot/read/snapshot-reader.ts';
import { clockGauge } from '../clock-gauge.ts';
import { clockReader } from '../clocks.ts';
import { nightAt } from '../nights.ts';
import { CLOCK } from '../machine.ts';
import type { Instant } from '../../instant.ts';

interface MetricsParts {
  readonly settings: Pick<Settings, 'bucket' | 'metricsHost' | 'metricsPort' | 'objectStore' | 'schedule'>;
  readonly logger: Logger;
  readonly pools: { readonly reader: Pool; readonly service: Pool };
  readonly transfers: () => number;
  readonly parts: readonly string[];
  readonly readiness: () => Promise<readonly string[]>;
  readonly snapshots: SnapshotReader & QuarantineWatch;
  /** The metrics of the worker in this process; null without one. */
  readonly worker: readonly Metric<string>[] | null;
}

interface ServedMetrics {
  /** Counts an answer; does nothing without metrics. */
  readonly observe: (answer: MetricsAnswer) => void;
  close(): Promise<void>;
}

/** Listens on the metrics port, if one is set. */
export async function openMetrics({
  settings,
  logger,
  worker,
  ...parts
}: MetricsParts): Promise<ServedMetrics> {
  const { metricsHost: host, metricsPort: port } = settings;
  if (port === null) return { observe: () => undefined, close: () => Promise.resolve() };
  const readDatabaseClock = (): Promise<Instant> => readClock(parts.pools.reader);
  const metrics = createMetrics({
    ...parts,
    quarantined: async () => {
      let snapshots = 0;
      for (const account of await readReportingAccounts(parts.pools.reader)) {
        snapshots += await parts.snapshots.quarantined(account);
      }
      return snapshots;
    },
    damagedFiles: () => parts.snapshots.countDamaged(),
    others: [
      ...queueGauges(parts.pools.service, async () => nightAt(settings, await readDatabaseClock()).day),
      ...(worker ?? []),
      // The store's clock is the time of an object just written. A server alone cannot write to the store, so it has no such
      // time.
      clockGauge(
        worker === null
          ? () =>
              readClocks({
                readDatabaseClock,
                readStoreClock: async () => null,
                readOwnClock: CLOCK.now,
              })
          : clockReader(settings, readDatabaseClock),
      ),
    ],
    snapshotAges: watchSnapshotAges({
      accounts: () => readReportingAccounts(parts.pools.reader),
      snapshots: parts.snapshots,
      now: CLOCK.now,
      clock: () => performance.now(),
    }),
  });
  const listener = await listenForMetrics(metrics, { host, port, logger });
  logger.info('metrics.started', { port: listener.port });
  return { observe: metrics.observe, close: () => listener.close() };
}
