/** What clients of others rely on: ranges of one file, the width of numbers, the keywords of tools. */
import type { Mutants } from '../mutant.ts';

export const FOREIGN_CLIENTS: Mutants = {
  'contract-integer-width': {
    rule: 'every integer of the contract is of 64 bits',
    file: 'src/serve/contract/document.ts',
    find: "  const isInteger = !areFields && 'type' in part && [part.type].flat().includes('integer');",
    replace: "  const isInteger = !areFields && 'type' in part && part.type === 'integer';",
    caughtBy: ['test/serve/contract/integer-widths.test.ts'],
  },
  'tool-input-keyword': {
    rule: 'the input of a tool has only keywords that every large model takes',
    file: 'src/serve/assistant/compact-schema.ts',
    find: '  return isEveryInteger || !OF_CALLS.has(keyword);',
    replace: "  return isEveryInteger || keyword === '$schema';",
    caughtBy: ['test/serve/assistant/input-schemas.test.ts'],
  },
  'tool-input-limit': {
    rule: 'an exclusive limit of an input becomes the inclusive limit beside it',
    file: 'src/serve/assistant/compact-schema.ts',
    find: "    ...(typeof above === 'number' && { minimum: Math.floor(above) + 1 }),",
    replace: "    ...(typeof above === 'number' && { minimum: Math.floor(above) }),",
    caughtBy: ['test/serve/assistant/input-schemas.test.ts'],
  },
  'sharing-format': {
    rule: 'a client that allows the Delta format alone is refused in words',
    file: 'src/serve/sharing/capabilities.ts',
    find: "  if (formats.length > 0 && !formats.includes('parquet')) {",
    replace: "  if (formats.length > 0 && formats.includes('iceberg')) {",
    caughtBy: ['test/serve/sharing/response-format.test.ts'],
  },
  'range-movable': {
    rule: 'an address that will answer with another file takes no range of a request that names no file',
    file: 'src/serve/reporting/table-file.ts',
    find: "    !file.moves || namesVersion({ ifMatch: c.req.header('if-match'), ifRange }, stored.etag);",
    replace: '    true;',
    caughtBy: ['test/serve/movable-addresses.test.ts'],
  },
  'range-movable-any': {
    rule: 'If-Match * names no file: it holds for the file of the next snapshot too',
    file: 'src/serve/http/preconditions.ts',
    find: "  return ifRange?.trim() === etag || (ifMatch.trim() !== '*' && names(ifMatch, [etag]));",
    replace: '  return ifRange?.trim() === etag || names(ifMatch, [etag]);',
    caughtBy: ['test/serve/http/preconditions.test.ts'],
  },
  'range-movable-redirect': {
    rule: 'the newest file of the pages is answered, not redirected to a file that takes ranges',
    file: 'src/serve/rows/row-routes.ts',
    find: "  routes.get('/snapshots/newest/tables/:file{.+\\\\.parquet}', requireSession(parts, ROOT), async (c) =>\n    answerFile(c, await latest(parts, c), c.req.param('file'), true),\n  );",
    replace: '',
    caughtBy: ['test/serve/movable-addresses.test.ts'],
  },
  'sharing-feed-goes-on': {
    rule: 'the change feed goes on after a version in which no row changed',
    file: 'src/serve/sharing/changes.ts',
    find: '    files: files.filter((file) => file !== null),',
    replace:
      '    files: files.filter((file, place) => file !== null && !files.slice(0, place).includes(null)) as ChangesFile[],',
    caughtBy: ['test/serve/sharing/feeds.test.ts'],
  },
  'sharing-newest': {
    rule: 'without a version a client reads the newest snapshot; the default never moves back to an older version',
    file: 'src/serve/sharing/chosen-version.ts',
    find: '        : versions.at(-1);\n',
    replace: '        : (versions.findLast((each) => isReadable(each, table)) ?? versions.at(-1));\n',
    caughtBy: ['test/serve/sharing/feeds.test.ts'],
  },
  'sharing-last-page': {
    rule: 'the last page of a list has no token for a next page',
    file: 'src/serve/sharing/paging.ts',
    find: 'return next === undefined ? page : {',
    replace: "return next === undefined ? { ...page, nextPageToken: '' } : {",
    caughtBy: ['test/serve/sharing/ranges.test.ts'],
  },
};
