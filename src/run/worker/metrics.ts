/** The metrics of a worker: its builds and webhook deliveries, and the state of the queue. */
import { collectDefaultMetrics, Counter, Histogram, type Metric, Registry } from '@prometheus-io/client';
import type { Pool } from 'pg';
import type { Settings } from '../../config.ts';
import { isCrossfootError } from '../../errors.ts';
import { readClock } from '../../ledger/clock.ts';
import type { Logger } from '../../log.ts';
import { queueGauges } from '../../ops/queue-metrics.ts';
import type { WorkOptions } from '../../ops/worker.ts';
import { listenForMetrics } from '../../serve/metrics/metrics-listener.ts';
import type { DeliverOptions } from '../../webhooks/deliver.ts';
import { clockGauge } from '../clock-gauge.ts';
import { clockReader } from '../clocks.ts';
import { nightAt } from '../nights.ts';

/** Durations of builds, from the smallest account to one of ten million rows. */
const BUILD_BUCKETS_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** The counters of a worker, for the caller to register. */
export interface WorkerMetrics {
  readonly metrics: readonly Metric<string>[];
  /** Wraps the function that runs a build, so that outcomes and durations are counted. */
  readonly counting: (run: WorkOptions['run']) => WorkOptions['run'];
  /** Counts an attempt of a delivery. */
  readonly onAttempt: DeliverOptions['onAttempt'];
}

/** Starts counting. */
export function createWorkerMetrics(): WorkerMetrics {
  const registers: [] = [];
  const built = new Counter({
    name: 'crossfoot_builds_finished_total',
    help: 'Builds that this worker ended, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const seconds = new Histogram<string>({
    name: 'crossfoot_build_seconds',
    help: 'Seconds that this worker took for each build that it published.',
    buckets: BUILD_BUCKETS_SECONDS,
    registers,
  });
  const tried = new Counter({
    name: 'crossfoot_delivery_tries_total',
    help: 'Attempts of this worker to deliver to webhooks, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    metrics: [built, seconds, tried],
    counting: (run) => async (build, signal) => {
      const begun_ms = performance.now();
      try {
        const done = await run(build, signal);
        built.inc({ outcome: String(done['outcome']) });
        const { outcome, ms = performance.now() - begun_ms } = done;
        if (outcome === 'published') seconds.observe(Number(ms) / 1_000);
        return done;
      } catch (error) {
        built.inc({ outcome: outcomeOf(error, signal) });
        throw error;
      }
    },
    onAttempt: (outcome) => tried.inc({ outcome }),
  };
}

interface MetricsParts {
  readonly settings: Pick<Settings, 'bucket' | 'metricsHost' | 'metricsPort' | 'objectStore' | 'schedule'>;
  /** Sessions as `cf_service`. */
  readonly service: Pool;
  readonly logger: Logger;
}

/** Starts counting in a process without a server, and listens on the metrics port if one is set. Its disposal closes the listener. */
export async function openWorkerMetrics({
  settings,
  service,
  logger,
}: MetricsParts): Promise<WorkerMetrics & AsyncDisposable> {
  const { metricsHost: host, metricsPort: port } = settings;
  const worker = createWorkerMetrics();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of [
    ...worker.metrics,
    ...queueGauges(service, async () => nightAt(settings, await readClock(service)).day),
    clockGauge(clockReader(settings, () => readClock(service))),
  ])
    registry.registerMetric(metric);

  const text = { text: () => registry.metrics(), contentType: registry.contentType };
  const listener = port === null ? null : await listenForMetrics(text, { host, port, logger });
  if (listener !== null) logger.info('metrics.started', { port: listener.port });
  return { ...worker, [Symbol.asyncDispose]: async () => listener?.close() };
}

function outcomeOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'stopped';
  return isCrossfootError(error) && error.exitCode === 3 ? 'refused' : 'failed';
}
