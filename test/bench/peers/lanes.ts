/** The lanes of the peers' trial: ours, started as a builder is, and the peers from Python's registry. */
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALLOCATION, BUILDER_FLAGS } from '../../../src/run/builders/build-process.ts';
import { makePython } from '../../clients/packages.ts';
import type { Figure } from '../benchmark.ts';
import type { Lane } from './lane-process.ts';

const OWN = fileURLToPath(new URL('./own-tables.ts', import.meta.url));
const PYTHON_FOLDER = resolve(import.meta.dirname, '../../.tmp/peers-python');

/** A peer, and what is promised beside it: our processor time and wall time, as multiples of its own. */
export interface Peer extends Lane {
  readonly promised: {
    readonly cpu?: NonNullable<Figure['target']>;
    readonly wall?: NonNullable<Figure['target']>;
  };
}

/** Ours; the folder keeps what Node compiled, as the data folder of a builder does. */
export function ourLane(folder: string): Lane {
  return {
    name: 'ours',
    command: process.execPath,
    args: [...BUILDER_FLAGS, OWN],
    env: { ...ALLOCATION, NODE_COMPILE_CACHE: join(folder, 'compiled') },
  };
}

/** The peers; throws if their packages cannot be installed. */
export function peerLanes(): { readonly duckdb: Peer; readonly adbc: Peer; readonly connectorx: Peer } {
  const made = makePython('peers', PYTHON_FOLDER);
  if ('missing' in made) throw new Error(made.missing);
  const peer = (name: string, program: string, promised: Peer['promised']): Peer => ({
    name,
    command: join(made.path, 'python'),
    args: [join(import.meta.dirname, 'peer.py'), program],
    env: {},
    promised,
  });
  return {
    duckdb: peer("DuckDB's PostgreSQL scanner", 'duckdb', { cpu: { at_most: 1.1 }, wall: { at_most: 1 } }),
    adbc: peer('ADBC into pyarrow', 'adbc', { cpu: { at_most: 1 }, wall: { at_most: 0.9 } }),
    connectorx: peer('connectorx into pyarrow', 'connectorx', {}),
  };
}
