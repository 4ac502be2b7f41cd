/** The builder processes of a worker, for its builds and its ranges. */
import { startBuilder } from './build-process.ts';
import { BuildProcesses } from './build-processes.ts';

/** Gives the processes of the current environment. */
export type ProcessesOfNow = () => Promise<Pick<BuildProcesses, 'run'>>;

/**
 * Reads the environment for each build anew: the signing key may have been replaced. The processes of an earlier environment
 * end as soon as they are idle.
 */
export function processesByEnvironment(
  readEnvironment: () => Promise<Readonly<Record<string, string | undefined>>>,
): () => Promise<BuildProcesses> {
  let current: { readonly text: string; readonly processes: BuildProcesses } | undefined;
  return async () => {
    const env = await readEnvironment();
    const text = JSON.stringify(env);
    if (current?.text !== text) {
      current = { text, processes: new BuildProcesses(() => startBuilder(env)) };
    }
    return current.processes;
  };
}
