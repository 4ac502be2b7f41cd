/** The tools of a build, each with one thing that goes wrong. */
import * as promises from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client, QueryResult } from 'pg';
import type { SpoolFileSystem } from '../../../src/snapshot/spool/spool.ts';
import type { Store } from '../../../src/store/store.ts';

/** A call by what it does and to which kind of object. */
const kindOf = (call: string, key: string): string =>
  `${call} ${key.includes('/log/') ? 'log' : (/[^.]*$/.exec(basename(key).replace('manifest.json', 'manifest'))?.[0] ?? '')}`;

/** The store, telling of each call before it is made; what the listener throws is the call's answer. */
export function watchedStore(inner: Store, onCall: (kind: string) => Promise<void> | void): Store {
  return {
    async create(key, body) {
      await onCall(kindOf('create', key));
      return inner.create(key, body);
    },
    async readSmall(key, cap) {
      await onCall(kindOf('readSmall', key));
      return inner.readSmall(key, cap);
    },
    async stat(key) {
      await onCall(kindOf('stat', key));
      return inner.stat(key);
    },
    async *readRange(key, offset, length) {
      await onCall(kindOf('readRange', key));
      yield* inner.readRange(key, offset, length);
    },
    async *list(prefix) {
      await onCall('list log');
      yield* inner.list(prefix);
    },
    delete: (key) => inner.delete(key),
  };
}

type Query = (...given: unknown[]) => unknown;

/** A connection whose statement that has these words meets the fault; the fault may say what to ask instead. */
export async function faultyClient(
  connect: () => Promise<Client>,
  words: string,
  fault: (client: Client) => void | string,
): Promise<Client> {
  const client = await connect();
  const query = client.query.bind(client) as Query;
  // Every form that a build asks in: a text, with or without values, or a query of its own, which carries its text.
  client.query = ((statement: string | { readonly text: string }, ...values: unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!text.includes(words)) return query(statement, ...values);
    const instead = fault(client);
    return instead === undefined ? query(statement, ...values) : query(instead);
  }) as typeof client.query;
  return client;
}

/** A connection that lets the test act, or change the answer, once the statement with these words is answered. */
export async function pausedClient(
  connect: () => Promise<Client>,
  words: string,
  act: (answer: QueryResult) => Promise<void>,
): Promise<Client> {
  const client = await connect();
  const query = client.query.bind(client) as Query;
  client.query = ((statement: unknown, ...values: unknown[]) => {
    const answer = query(statement, ...values);
    if (typeof statement !== 'string' || !statement.includes(words)) return answer;
    return Promise.resolve(answer).then(async (result) => {
      await act(result as QueryResult); // what a text is answered with
      return result;
    });
  }) as typeof client.query;
  return client;
}

/** Cuts a connection as if the network, or this process, were gone. */
export const cutOff = (client: Client): void => {
  // The driver's own socket, which its types do not show.
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
};

const injected = (code: string): Error => Object.assign(new Error(`injected ${code}`), { code });

/** The real file system, but for calls of that name: `open`, or `handle.read` of an open file. */
export function faultySpoolFiles(failing: string, code: string): SpoolFileSystem {
  const guard = <Call extends object>(call: Call, name: string): Call =>
    new Proxy(call, {
      apply(target, self, given) {
        if (name === failing) return Promise.reject(injected(code));
        return Reflect.apply(target as unknown as () => unknown, self, given);
      },
    });
  const handleOf = (handle: FileHandle): FileHandle =>
    new Proxy(handle, {
      get(target, property) {
        const member: unknown = Reflect.get(target, property);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          const fails = `handle.${String(property)}` === failing;
          // A file is closed even when closing reports an error.
          if (fails && property !== 'close') throw injected(code);
          const result: unknown = await Reflect.apply(member, target, given);
          if (fails) throw injected(code);
          return result;
        };
      },
    });
  return {
    mkdir: guard(promises.mkdir, 'mkdir'),
    readdir: guard(promises.readdir, 'readdir'),
    rename: guard(promises.rename, 'rename'),
    rm: guard(promises.rm, 'rm'),
    lstat: guard(promises.lstat, 'lstat'),
    readFile: guard(promises.readFile, 'readFile'),
    writeFile: guard(promises.writeFile, 'writeFile'),
    open: guard(
      async (...given: Parameters<typeof promises.open>) => handleOf(await promises.open(...given)),
      'open',
    ),
  };
}
