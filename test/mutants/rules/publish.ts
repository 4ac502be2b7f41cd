/** Publishing a snapshot. */
import type { Mutants } from '../mutant.ts';

export const PUBLISH: Mutants = {
  'publish-clock': {
    rule: 'a database clock that went back publishes nothing (fault F-34)',
    file: 'src/snapshot/builder/build-moment.ts',
    find: 'if (behind > CLOCK_PATIENCE) {',
    replace: `if (behind > CLOCK_PATIENCE) return 0;
  if (behind > 2n * CLOCK_PATIENCE) {`,
    caughtBy: ['test/snapshot/builder/build-order.sweep.test.ts'],
  },
  'publish-fenced': {
    rule: 'a build that was fenced off does not publish (S7)',
    file: 'src/snapshot/builder/publish.ts',
    find: 'if (stored !== null && Buffer.from(stored).equals(bytes)) return;',
    replace: 'if (stored !== null) return;',
    caughtBy: ['test/snapshot/builder/publish.test.ts'],
  },
  'publish-lost-rows': {
    rule: 'a table that lost rows which the ledger has is not published (2.3)',
    file: 'src/snapshot/builder/shrunk-tables.ts',
    find: 'if (counted !== null && counted !== one.rows) throw lostRows(one, counted);',
    replace: 'if (counted !== null && counted < one.rows) throw lostRows(one, counted);',
    caughtBy: ['test/snapshot/builder/shrunk-tables.test.ts'],
  },
  'publish-newer': {
    rule: 'a snapshot is newer than the one before (S8)',
    file: 'src/snapshot/keep/future-heads.ts',
    find: '\n  if (before !== undefined && before.snapshot_id >= id) return null;',
    replace: '',
    caughtBy: ['test/snapshot/builder/publish.test.ts'],
  },
  'publish-own': {
    rule: 'a lost reply is not a lost race (S8)',
    file: 'src/snapshot/builder/append-entry.ts',
    find: "if (own !== undefined) return { outcome: 'published', seq: own.seq };",
    replace: "if (own !== undefined && own.seq < 0) return { outcome: 'published', seq: own.seq };",
    caughtBy: ['test/snapshot/builder/publish.test.ts'],
  },
  'publish-read-back': {
    rule: 'what is stored is read back (S6)',
    file: 'src/snapshot/spool/upload.ts',
    find: '\n  if (found.sha256 !== content.sha256) throw refusal(key);',
    replace: '',
    caughtBy: ['test/snapshot/builder/publish.test.ts'],
  },
  'publish-still-wanted': {
    rule: 'nothing is published of an account that was switched off while it was built',
    file: 'src/snapshot/builder/build-moment.ts',
    find: '\n      await requireReporting(client, job.account_id);',
    replace: '',
    caughtBy: ['test/snapshot/builder/switched-off.test.ts'],
  },
  'publish-stopped': {
    rule: 'a build that was stopped publishes nothing (fault F-2)',
    file: 'src/snapshot/builder/build.ts',
    find: 'store: stoppableStore(tools.store, signal),',
    replace: 'store: stoppableStore(tools.store, AbortSignal.any([])),',
    caughtBy: ['test/snapshot/builder/build-faults.test.ts'],
  },
  'publish-withdrawn-again': {
    rule: 'a build is not published again while a deletion of its files may still come',
    file: 'src/snapshot/builder/publish.ts',
    find: 'if (withdrawnLate.has(build)) {',
    replace: 'if (withdrawnLate.has(build) && known.fault !== null) {',
    caughtBy: ['test/snapshot/builder/publish-withdrawn.test.ts'],
  },
  'publish-withdrawn-late': {
    rule: 'nothing is deleted once the log entry may have been written (server E11)',
    file: 'src/snapshot/builder/publish.ts',
    find: 'return await appendEntry(store, clock, known, entry, { once: build.once, onAppended });',
    replace: `try {
    return await appendEntry(store, clock, known, entry, { once: build.once, onAppended });
  } catch (error) {
    await withdraw(error);
    throw error;
  }`,
    caughtBy: ['test/snapshot/builder/publish-withdrawn.test.ts'],
  },
  'publish-withdrawn-own': {
    rule: 'a failed build deletes only what it created itself (server E11)',
    file: 'src/snapshot/builder/remember-created.ts',
    find: "if (outcome === 'created') created.push(key);",
    replace: 'created.push(key);',
    caughtBy: ['test/snapshot/builder/publish-withdrawn.test.ts'],
  },
  'publish-withdrawn-unknown': {
    rule: 'a failed build deletes nothing while a create may still come (server E11)',
    file: 'src/snapshot/builder/remember-created.ts',
    find: "\n      if (isCrossfootError(error, 'store_outcome_unknown')) return true;",
    replace: '',
    caughtBy: ['test/snapshot/builder/publish-withdrawn.test.ts'],
  },
  'publish-withdrawn': {
    rule: 'a build that fails before its log entry deletes the files it created (server E11)',
    file: 'src/snapshot/builder/publish.ts',
    find: '\n      if (!(await withdraw(error))) withdrawnLate.add(build);',
    replace: '',
    caughtBy: ['test/snapshot/builder/publish-withdrawn.test.ts'],
  },
  'upload-is-read-back': {
    rule: 'what was stored is read back and compared',
    edits: [
      {
        file: 'src/snapshot/spool/upload.ts',
        find: 'if (!Buffer.from(blocks).equals(content.blocks)) throw differs(key);',
        replace: 'if (blocks.length !== content.blocks.length) throw differs(key);',
      },
      {
        file: 'src/snapshot/spool/upload.ts',
        find: `  if (found?.size_bytes !== content.size) throw refusal(key);
  if (found.sha256 !== content.sha256) throw refusal(key);`,
        replace: `  if (found === null) throw refusal(key);`,
      },
    ],
    schedules: 3000,
  },
  'build-scripts-once': {
    rule: 'the SQL of the audit is read once for all accounts of a builder (issue 52)',
    file: 'src/run/builders/build-account.ts',
    find: 'audits ??= readAudits();',
    replace: 'audits = readAudits();',
    caughtBy: ['test/run/builders/build-account.test.ts'],
  },
  'spool-read-memory': {
    rule: 'a file of the spool is read with memory for the file (issue 52)',
    file: 'src/snapshot/spool/spool.ts',
    find: '      const length = left < 0 ? READ_BYTES : Math.min(READ_BYTES, left + 1);',
    replace: '      const length = READ_BYTES;',
    caughtBy: ['test/snapshot/spool/spool.test.ts'],
  },
  'spool-read-grown': {
    rule: 'a file of the spool that grows is read to its end (issue 52)',
    file: 'src/snapshot/spool/spool.ts',
    find: '      const length = left < 0 ? READ_BYTES : Math.min(READ_BYTES, left + 1);',
    replace: '      const length = Math.min(READ_BYTES, left);',
    caughtBy: ['test/snapshot/spool/spool.test.ts'],
  },
  'clocks-store-asked': {
    rule: 'a build publishes only by a clock of the store that it asks at that moment',
    file: 'src/run/builders/build-clocks.ts',
    find: 'const seen = lately ? this.#seenLately() : undefined;',
    replace: 'const seen = lately || this.#seen !== undefined ? this.#seenLately() : undefined;',
    caughtBy: ['test/run/builders/build-clocks.test.ts'],
  },
  'comparison-of-spool-checked': {
    rule: 'a comparison reads no byte that was not checked, also from the spool',
    file: 'src/run/builders/store-comparison.ts',
    find: 'return ReadableStream.from(asAnnounced(spooled.content)) as ReadableStream<Uint8Array<ArrayBuffer>>;',
    replace: 'return ReadableStream.from(spooled.content.open()) as ReadableStream<Uint8Array<ArrayBuffer>>;',
    caughtBy: ['test/run/builders/store-comparison.test.ts'],
  },
  'publish-shown': {
    rule: 'a process that builds and serves shows what it has published before it says so',
    file: 'src/run/worker/local-worker.ts',
    find: 'await service.showPublished(taken.account_id).catch(() => undefined);',
    replace: '',
    caughtBy: ['test/commands/start.test.ts'],
  },
  'publish-newer-id': {
    rule: 'a snapshot that a webhook has just named is found by its id: a cached log is read again for an id newer than its last',
    file: 'src/snapshot/read/published-log.ts',
    find: 'return isKnown ? cached : { ...cached, log: await logOf(account_id, 0n) };',
    replace: 'return cached;',
    caughtBy: ['test/snapshot/read/reader.test.ts'],
  },
  'publish-older-id': {
    rule: 'an id older than the newest snapshot costs no call of the store',
    file: 'src/snapshot/read/published-log.ts',
    find: 'const isKnown = snapshot_id <= newest ||',
    replace: 'const isKnown =',
    caughtBy: ['test/snapshot/read/reader.test.ts'],
  },
  'publish-new-pin': {
    rule: 'a pin is found as soon as it is set: marks are read again for a name that they lack',
    file: 'src/snapshot/read/published-log.ts',
    find: '(await idInMarks(account_id, name, await marksOf(account_id, 0n)))',
    replace: 'null',
    caughtBy: ['test/snapshot/read/named.test.ts'],
  },
  'publish-anew': {
    rule: 'what is read anew is read after the call: a read that began earlier may lack the publish',
    file: 'src/cache.ts',
    find: 'if (max_age === 0) return this.settled(key).then(() => this.renew(key, read));',
    replace: '',
    caughtBy: ['test/cache.test.ts'],
  },
};
