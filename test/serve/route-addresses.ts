/** An address of every route that answers GET; the routes are the application's own, so that a new one is tried too. */
import { type fakeApp, linkTo } from './fake-parts.ts';

/** A value of each parameter of a path, beside the name of a snapshot. */
const VALUES: Readonly<Record<string, string>> = {
  dialect: 'duckdb.sql',
  file: 'costs.parquet',
  grant: linkTo('costs').split('/')[2] ?? '',
  id: '101',
  name: 'audit.json',
  schema: 'reporting',
  share: 'crossfoot',
  table: 'costs.parquet',
};

/** The paths of the routes that answer GET. */
export function pathsOf({ routes }: Pick<ReturnType<typeof fakeApp>['app'], 'routes'>): readonly string[] {
  const paths = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  return [...new Set(paths)].filter((path) => !path.includes('*'));
}

/** The address of a route; a parameter's pattern may ask for the end of a file's name. `other` replaces values. */
export function addressOf(path: string, snapshot: string, other: typeof VALUES = {}): string {
  const named = path.replaceAll(/:(\w+)(?:\{[^}]*\\\.(\w+)\})?/g, (_, name: string, end?: string) => {
    if (['snapshot_id', 'from', 'to'].includes(name)) return snapshot;
    const value = { ...VALUES, ...other }[name] ?? 'costs';
    return end === undefined ? value : value.replace(/\.\w+$/, `.${end}`);
  });
  return path.includes('/changes/:table') && path.startsWith('/links') ? linkTo('changes/costs') : named;
}
