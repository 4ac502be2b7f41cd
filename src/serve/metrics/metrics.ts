/** The Prometheus metrics of this process. Labels are routes, statuses and states, never an account or a token. */
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  type Metric,
  Registry,
} from '@prometheus-io/client';
import { SNAPSHOT_STATES, type StateAges } from './snapshot-ages.ts';

/** An answer before its first byte is sent. */
export interface MetricsAnswer {
  /** The route's pattern, never the path: a path may contain anything that someone pasted into it. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/** A pool of database sessions, as the driver counts them. */
interface Sessions {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

interface MetricsParts {
  /** By the role of the sessions. */
  readonly pools: Readonly<Record<string, Sessions>>;
  /** How many bodies are being sent. */
  readonly transfers: () => number;
  /** How many stored files this server found damaged. */
  readonly damagedFiles: () => number;
  /** The names of all dependencies; `readiness` gives those that do not answer now. */
  readonly parts: readonly string[];
  readonly readiness: () => Promise<readonly string[]>;
  /** Further metrics of other parts. */
  readonly others: readonly Metric<string>[];
  readonly snapshotAges: () => Promise<Readonly<Record<(typeof SNAPSHOT_STATES)[number], StateAges>>>;
  /** How many snapshots have files that a scrub found damaged. */
  readonly quarantined: () => Promise<number>;
}

export interface Metrics {
  /** Counts an answer. */
  readonly observe: (answer: MetricsAnswer) => void;
  /** All metrics, in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

// From a cached page to a figure that reaches its timeout.
const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Starts counting; includes the metrics of the Node process, such as event loop lag and memory. */
export function createMetrics(parts: MetricsParts): Metrics {
  const { pools, transfers, snapshotAges } = parts;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'crossfoot_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'crossfoot_request_seconds',
    help: 'Time until there was an answer to send, by route.',
    labelNames: ['route'],
    buckets: BUCKETS_SECONDS,
    registers,
  });
  const gauges = [
    new Gauge({
      name: 'crossfoot_open_downloads',
      help: 'Answers whose bodies are being sent.',
      registers: [],
      collect() {
        this.set(transfers());
      },
    }),
    new Gauge({
      name: 'crossfoot_database_sessions',
      help: 'Sessions of the connection pools, and requests waiting for one.',
      labelNames: ['role', 'state'],
      registers: [],
      collect() {
        for (const [role, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
          this.set({ role, state: 'open' }, totalCount);
          this.set({ role, state: 'idle' }, idleCount);
          this.set({ role, state: 'waiting' }, waitingCount);
        }
      },
    }),
    new Gauge({
      name: 'crossfoot_damaged_files',
      help: 'Stored files that this server found damaged and has not found whole since.',
      registers: [],
      collect() {
        this.set(parts.damagedFiles());
      },
    }),
    new Gauge({
      name: 'crossfoot_part_ready',
      help: 'Whether the database and the object store answer: 1 or 0.',
      labelNames: ['part'],
      registers: [],
      async collect() {
        const missing = await parts.readiness();
        for (const part of parts.parts) this.set({ part }, missing.includes(part) ? 0 : 1);
      },
    }),
    new Gauge({
      name: 'crossfoot_snapshot_age_seconds',
      help: 'Age of the newest snapshot of an account: the highest of all accounts, by state.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const ages = await snapshotAges();
        for (const state of SNAPSHOT_STATES) this.set({ state }, ages[state].seconds);
      },
    }),
    new Gauge({
      name: 'crossfoot_accounts',
      help: 'Accounts that report, by the state of their newest snapshot.',
      labelNames: ['state'],
      registers: [],
      async collect() {
        const ages = await snapshotAges();
        for (const state of SNAPSHOT_STATES) this.set({ state }, ages[state].accounts);
      },
    }),
    new Gauge({
      name: 'crossfoot_retracted_snapshots',
      help: 'Accounts whose newest snapshot is retracted: readers of the newest get it until a newer one is published.',
      registers: [],
      async collect() {
        const ages = await snapshotAges();
        this.set(SNAPSHOT_STATES.reduce((sum, state) => sum + ages[state].retracted, 0));
      },
    }),
    new Gauge({
      name: 'crossfoot_quarantined_snapshots',
      help: 'Snapshots with files that are refused, because a scrub found them damaged.',
      registers: [],
      async collect() {
        this.set(await parts.quarantined());
      },
    }),
  ];
  for (const metric of [...gauges, ...parts.others]) registry.registerMetric(metric);

  return {
    observe({ route, status, ms }) {
      requests.inc({ route, status });
      seconds.observe({ route }, ms / 1_000);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
