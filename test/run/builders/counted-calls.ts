/** The calls that the builds of one process make of their store. */
import type { Store } from '../../../src/store/store.ts';

export interface CountedCalls {
  /** Wraps the first store that it is given, and gives it to the later builds too, as a builder keeps its store. */
  readonly wrap: (store: Store) => Store;
  /** The number of calls since the last time, by method and kind of object. */
  readonly take: () => Readonly<Record<string, number>>;
}

export function countCalls(): CountedCalls {
  let counted: Store | undefined;
  let calls: Record<string, number> = {};
  return {
    wrap(store) {
      counted ??= new Proxy(store, {
        get: (target, name: keyof Store) => {
          const part = target[name];
          if (typeof part !== 'function') return part;
          return (key: string, ...rest: unknown[]) => {
            const call = `${name} ${kindOf(key)}`;
            calls[call] = (calls[call] ?? 0) + 1;
            return (part as (...given: unknown[]) => unknown).call(target, key, ...rest);
          };
        },
      });
      return counted;
    },
    take() {
      const taken = calls;
      calls = {};
      return taken;
    },
  };
}

const KINDS: Readonly<Record<string, string>> = {
  log: 'log',
  marks: 'marks',
  s: 'snapshot',
  p: 'snapshot',
  d: 'comparison',
};

function kindOf(key: string): string {
  return KINDS[key.split('/')[3] ?? ''] ?? 'probe';
}

export function sumOf(calls: Readonly<Record<string, number>>): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}
