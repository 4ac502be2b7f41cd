/** The log of publishing. */
import type { Mutants } from '../mutant.ts';

export const LOG: Mutants = {
  'a-listing-is-a-hint': {
    rule: 'the end of the log is found by reading on, never by a listing',
    file: 'src/snapshot/read/read-chain.ts',
    find: 'return read.fault === null ? await readChainOn(store, kind, read) : read;',
    replace: 'return read;',
    schedules: 3000,
  },
  'files-before-log-entry': {
    rule: 'every file is stored before the log entry makes it visible',
    edits: [
      {
        file: 'src/snapshot/builder/publish.ts',
        find: 'return await appendEntry(store, clock, known, entry, { once: build.once, onAppended });',
        replace: `const result = await appendEntry(store, clock, known, entry, { once: build.once, onAppended });
  for (const { name, content } of build.files) await upload(store, clock, fileKey(prefix, name), content);
  return result;`,
      },
      {
        file: 'src/snapshot/builder/publish.ts',
        find: '    ...sets.flatMap(({ files }) => files),',
        replace: '    ...sets.slice(1).flatMap(({ files }) => files),',
      },
    ],
    schedules: 3000,
  },
  'log-beyond-fault': {
    rule: 'a snapshot that a damaged log may name is 503, not 404',
    file: 'src/snapshot/read/published-log.ts',
    find: 'if (entry === undefined && log.fault !== null) throw log.fault;',
    replace: 'if (entry === undefined && log.fault !== null) return null;',
    caughtBy: ['test/serve/http/broken-log.test.ts'],
  },
  'log-chain': {
    rule: 'the log is a chain of digests (fault F-42)',
    file: 'src/snapshot/format/publish-log.ts',
    find: "\n  if (entry.prev_sha256 !== head_sha256) return 'does not follow the entry before it';",
    replace: '',
    caughtBy: ['test/snapshot/format/publish-log.test.ts'],
  },
  'log-entry-after-manifest': {
    rule: 'the log entry is created after the manifest that it names',
    edits: [
      {
        file: 'src/snapshot/builder/publish.ts',
        find: 'return await appendEntry(store, clock, known, entry, { once: build.once, onAppended });',
        replace: `const result = await appendEntry(store, clock, known, entry, { once: build.once, onAppended });
  await createManifest(store, clock, manifestKey(prefix), manifest);
  return result;`,
      },
      {
        file: 'src/snapshot/builder/publish.ts',
        find: '  await createManifest(store, clock, manifestKey(prefix), manifest);\n  const signer',
        replace: '  const signer',
      },
    ],
    schedules: 3000,
  },
  'log-fields': {
    rule: 'what is not listed is not logged (attack A-9)',
    file: 'src/log.ts',
    find: 'const line: Record<string, string | number> = {};',
    replace: 'const line: Record<string, string | number> = { ...(fields as Record<string, string>) };',
    caughtBy: ['test/log.test.ts'],
  },
  'log-gap': {
    rule: 'an entry that a later one proves was there ends the log (fault F-42)',
    file: 'src/snapshot/read/read-chain.ts',
    find: 'if (gap !== -1 && read.fault === null) read = { ...read, fault: kind.missing(known + gap + 1) };',
    replace: `if (gap !== -1 && read.fault === null) break;
    if (gap < -1) read = { ...read, fault: kind.missing(known + gap + 1) };`,
    caughtBy: ['test/snapshot/format/publish-log.test.ts'],
  },
  'log-id-not-taken': {
    rule: 'a build whose id is taken is superseded',
    file: 'src/snapshot/keep/future-heads.ts',
    find: '\n  if (entries.some(({ snapshot_id }) => snapshot_id === id)) return null;',
    replace: '',
    caughtBy: ['test/snapshot/keep/future-heads.test.ts'],
  },
  'log-ids-unique': {
    rule: 'ids stay unique in a log, behind a head of the future too',
    file: 'src/snapshot/format/publish-log.ts',
    find: "\n  if (before.some((each) => each.snapshot_id === snapshot_id)) return 'has the id of an earlier entry';",
    replace: '',
    caughtBy: ['test/snapshot/keep/future-heads.test.ts'],
  },
  'log-later': {
    rule: 'an entry is newer than the one before (2.3, reader rule)',
    file: 'src/snapshot/format/publish-log.ts',
    find: "\n  if (newest !== undefined && snapshot_id <= newest.snapshot_id) return 'is not newer than the one before';",
    replace: '',
    caughtBy: ['test/snapshot/format/publish-log.test.ts'],
  },
  'log-latest-behind': {
    rule: 'a header says that latest is older than the log',
    file: 'src/snapshot/read/reader.ts',
    find: 'return fault === null ? null : entries.length + 1;',
    replace: 'return fault === null || entries.length > 0 ? null : 1;',
    caughtBy: ['test/serve/http/broken-log.test.ts'],
  },
  'log-form-as-set': {
    rule: 'LOG_FORMAT=json writes JSON on a terminal, too',
    file: 'src/log-format.ts',
    find: "(format !== 'json' && isTerminal)",
    replace: 'isTerminal',
    caughtBy: ['test/log-text.test.ts'],
  },
  'log-messages': {
    rule: 'messages of libraries are not logged (attack A-9)',
    file: 'src/log.ts',
    find: 'message: ours ? error.message : undefined,',
    replace: 'message: error.message,',
    caughtBy: ['test/log.test.ts'],
  },
  'log-names-what-it-passes': {
    rule: 'an entry with a smaller id names the retracted entries right before it',
    file: 'src/snapshot/format/publish-log.ts',
    find: `
  if (passed.map((each) => each.snapshot_id).join() !== follows_retracted.join())
    return 'follows other entries than it names';`,
    replace: '',
    caughtBy: ['test/snapshot/keep/future-heads.test.ts'],
  },
  'log-next-step': {
    rule: 'a person reads the next step of an error below its line',
    file: 'src/log-text.ts',
    find: '  if (hint !== undefined) return String(hint);\n',
    replace: '',
    caughtBy: ['test/log-text.test.ts'],
  },
  'log-older-advice': {
    rule: "after a build that refused an older log the next command accepts the log's head",
    file: 'src/run/builders/next-command.ts',
    find: "'snapshots --account ACCOUNT --accept-head',",
    replace: "'doctor',",
    caughtBy: ['test/run/builders/next-command.test.ts'],
  },
  'log-path': {
    rule: 'a path is logged as its route (attack A-9)',
    file: 'src/serve/access-log.ts',
    find: 'const answer = { route: routeOf(c), status: c.res.status };',
    replace: 'const answer = { route: c.req.path, status: c.res.status };',
    caughtBy: ['test/serve/access-log.test.ts'],
  },
  'log-prefix': {
    rule: 'a log copied from another account is refused (fault F-43)',
    file: 'src/snapshot/format/publish-log.ts',
    find: `
  if (!LAYOUTS.some((layout) => prefix === buildPrefix(account_id, snapshot_id, nonce, layout)))
    return 'names a foreign prefix';`,
    replace: '',
    caughtBy: ['test/snapshot/format/publish-log.test.ts'],
  },
  'log-time-of-database': {
    rule: "the times of the log come from the database's clock, never from the worker's",
    file: 'src/snapshot/builder/publish.ts',
    find: '    published_at,',
    replace: '    published_at: clock.now(),',
    caughtBy: ['test/snapshot/builder/build-clocks.test.ts'],
  },
  'log-unreadable': {
    rule: 'a log of which nothing can be read is answered with 503, never as empty',
    file: 'src/snapshot/read/published-log.ts',
    find: 'if (log.fault !== null && log.entries.length === 0) throw log.fault;',
    replace: 'if (log.fault !== null && log.entries.length < 0) throw log.fault;',
    caughtBy: ['test/serve/http/broken-log.test.ts'],
  },
  'lost-reply-is-no-lost-race': {
    rule: 'an own entry, hidden by a lost reply, is recognised as published',
    file: 'src/snapshot/builder/append-entry.ts',
    find: "if (own !== undefined) return { outcome: 'published', seq: own.seq };",
    replace: "if (own !== undefined) return { outcome: 'superseded', seq: own.seq };",
    schedules: 3000,
  },
  'manifest-account': {
    rule: 'a manifest of another account is refused (fault F-43)',
    file: 'src/snapshot/format/manifest.ts',
    find: "\n  if (BigInt(read.account_id) !== expected.account_id) throw invalid('it belongs to another account');",
    replace: '',
    caughtBy: ['test/snapshot/format/manifest.test.ts'],
  },
  'manifest-digest': {
    rule: 'a manifest is the one its log entry names (2.3, reader rule)',
    file: 'src/snapshot/format/manifest.ts',
    find: 'if (found !== expected.manifest_sha256) {',
    replace: "if (found === '') {",
    caughtBy: ['test/snapshot/format/manifest.test.ts'],
  },
  'manifest-is-compared': {
    rule: 'a manifest that was taken by another hand stops the build',
    file: 'src/snapshot/builder/publish.ts',
    find: 'if (stored !== null && Buffer.from(stored).equals(bytes)) return;',
    replace: 'if (stored !== null) return;',
    schedules: 3000,
  },
  'mark-anew': {
    rule: 'a mark is decided on all that was said before it',
    file: 'src/snapshot/keep/append-mark.ts',
    find: `for (;;) {
    if (marks.fault !== null) throw marks.fault;
    const mark = decide(marks);`,
    replace: `const mark = decide(marks);
  for (;;) {
    if (marks.fault !== null) throw marks.fault;`,
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'mark-chain': {
    rule: 'marks are a chain of digests',
    file: 'src/snapshot/format/marks.ts',
    find: "return found.prev_sha256 === head_sha256 ? found : 'does not follow the mark before it';",
    replace: "return found.prev_sha256 === '' ? 'does not follow the mark before it' : found;",
    caughtBy: ['test/snapshot/format/marks.test.ts'],
  },
  'once-a-night': {
    rule: 'a night that is published once has one snapshot, however many build it',
    file: 'src/snapshot/builder/append-entry.ts',
    find: 'const first = once ? entryOfNight(log, entry.night) : undefined;',
    replace: 'const first = once && log.entries.length === 0 ? entryOfNight(log, entry.night) : undefined;',
    schedules: 3000,
  },
  'only-a-later-moment': {
    rule: 'the log takes only a later moment than its head',
    file: 'src/snapshot/keep/future-heads.ts',
    find: 'if (entries.some(({ snapshot_id }) => snapshot_id === id)) return null;',
    replace: 'if (entries.at(-1)?.snapshot_id === id) return [];',
    schedules: 3000,
  },
  'ready-store-gone': {
    rule: 'a store whose marker object has disappeared is not ready',
    file: 'src/run/store-mark.ts',
    find: 'if (existed && !there) {',
    replace: 'if (Number.isNaN(Number(there))) {',
    caughtBy: ['test/run/store-mark.test.ts'],
  },
};
