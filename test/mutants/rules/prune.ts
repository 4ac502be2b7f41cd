/** Removing what is no longer kept. */
import type { Mutants } from '../mutant.ts';

export const PRUNE: Mutants = {
  'collector-fences-off': {
    rule: 'a build is fenced off before its files are deleted',
    file: 'src/snapshot/keep/prune.ts',
    find: 'const fence = await fenceOff(store, clock, removal.prefix);',
    replace: `const { lookAtFence } = await import('./tombstone.ts');
  const fence = await lookAtFence(store, clock, removal.prefix);`,
    schedules: 3000,
  },
  'prune-abandoned': {
    rule: 'a build is abandoned after two days (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const ABANDONED_AFTER = 48n * HOUR;',
    replace: 'const ABANDONED_AFTER = 1n * HOUR;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-broken-log': {
    rule: 'nothing is deleted of an account whose log is broken (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: '\n  if (log.fault !== null) throw log.fault;',
    replace: '',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-broken-marks': {
    rule: 'nothing is deleted of an account whose marks are broken (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: '\n  if (marks.fault !== null) throw marks.fault;',
    replace: '',
    caughtBy: ['test/snapshot/format/marks.test.ts'],
  },
  'prune-claim-anew': {
    rule: 'what may go is decided on the marks as they stand when it is claimed (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: 'const free = entry !== undefined && mayGoSince({ log, marks: known }, entry, now) !== null;',
    replace: 'const free = entry !== undefined && mayGoSince({ log, marks: planned }, entry, now) !== null;',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'prune-claim-once': {
    rule: 'of two collectors one says that a snapshot is removed (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: 'if (!free || snapshotStatus(known, snapshot_id).removed) return null;',
    replace: 'if (!free) return null;',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'prune-claim': {
    rule: 'a published snapshot is claimed before its files go (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: `
    const pinnedMeanwhile =
      removal.why === 'expired' && !dryRun && !(await markRemoved(removal, published, now, tools));
    // A pin came after the plan: keep the snapshot.
    if (pinnedMeanwhile) continue;`,
    replace: '',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'prune-clocks': {
    rule: 'nothing is deleted while the clocks disagree (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: "\n  requireAgreement(clocks, 'deleted');",
    replace: '',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-dry-run': {
    rule: 'what is only shown is not deleted (prune)',
    file: 'src/snapshot/keep/prune.ts',
    find: 'if (!dryRun) await remove(removal, published, now, tools);',
    replace: 'await remove(removal, published, now, tools);',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-earliest-clock': {
    rule: 'what is due by one clock alone is not deleted',
    file: 'src/snapshot/keep/prune.ts',
    find: 'const now = earliestOf(clocks);',
    replace: 'const now = clocks.database;',
    caughtBy: ['test/snapshot/keep/prune-clocks.test.ts'],
  },
  'prune-fence-stays': {
    rule: 'the fence stays when the files behind it go (2.5)',
    file: 'src/snapshot/keep/prune.ts',
    find: "if (fence === 'manifest') await drop(first);",
    replace: 'await drop(first);',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-good': {
    rule: 'only a snapshot with a good manifest is one of the two that stay (2.6)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'if (!damaged && (await hasGoodManifest(log.account_id, entry, tools))) good.add(entry.prefix);',
    replace: 'if (!damaged) good.add(entry.prefix);',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-grace': {
    rule: 'files go a day after they expired (2.6)',
    file: 'src/snapshot/format/retention.ts',
    find: 'const GRACE_HOURS = 24n;',
    replace: 'const GRACE_HOURS = 0n;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-head-looked-at': {
    rule: 'nothing is deleted before the newest snapshot is known to be whole (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: '\n  await requireWholeHead(log, now, tools);',
    replace: '',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-head-read': {
    rule: 'the newest snapshot is read to its last byte before anything is deleted (2.6)',
    file: 'src/snapshot/keep/head-check.ts',
    find: 'if (age >= 0n && age < DAY) return;',
    replace: 'if (age >= 0n) return;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-kept-log': {
    rule: 'what a kept entry of the log names is spared, however old it is (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const published = new Map(log.entries.map((entry) => [entry.prefix, entry]));',
    replace: 'const published = new Map(log.entries.slice(-1).map((entry) => [entry.prefix, entry]));',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-live-manifest': {
    rule: 'a build whose manifest came while it was fenced off keeps its files (2.5)',
    file: 'src/snapshot/keep/prune.ts',
    find: "\n  if (fence === 'manifest' && !overtaken(removal, published, now)) return;",
    replace: '',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-manifest-first': {
    rule: 'a snapshot loses its manifest before its files (2.6)',
    file: 'src/snapshot/keep/prune.ts',
    find: `await drop(first);
    for (const key of others) await drop(key);
    return;`,
    replace: `for (const key of others) await drop(key);
    await drop(first);
    return;`,
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-overtaken': {
    rule: 'a build with its manifest goes only when a newer snapshot was published (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'return log.entries.some(',
    replace: 'return log.entries.every(',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-quarantined': {
    rule: 'a snapshot in quarantine is none of the two that stay (2.6)',
    file: 'src/snapshot/keep/removals.ts',
    find: `const damaged = snapshotStatus(marks, entry.snapshot_id).quarantine !== null;
    if (!damaged && (await hasGoodManifest(log.account_id, entry, tools))) good.add(entry.prefix);`,
    replace: 'if ((await hasGoodManifest(log.account_id, entry, tools))) good.add(entry.prefix);',
    caughtBy: ['test/snapshot/keep/scrub.test.ts'],
  },
  'prune-tombstone': {
    rule: 'a fence is kept 400 days (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const TOMBSTONE_AGE = 400n * DAY;',
    replace: 'const TOMBSTONE_AGE = 40n * DAY;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-two': {
    rule: 'two good snapshots stay (2.6)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const MIN_KEPT_SNAPSHOTS = 2;',
    replace: 'const MIN_KEPT_SNAPSHOTS = 1;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'prune-youngest': {
    rule: 'a build is as old as the youngest of its objects (2.5)',
    file: 'src/snapshot/keep/removals.ts',
    find: 'if (stored !== null && stored.created_at > youngest) youngest = stored.created_at;',
    replace: 'if (stored !== null && youngest === 0n) youngest = stored.created_at;',
    caughtBy: ['test/snapshot/keep/prune.test.ts'],
  },
  'retention-not-before-moment': {
    rule: 'a snapshot is not replaced before the moment of the next, whatever a worker wrote',
    file: 'src/snapshot/format/retention.ts',
    find: 'return next.published_at > moment ? next.published_at : moment;',
    replace: 'return next.published_at;',
    caughtBy: ['test/snapshot/keep/prune-clocks.test.ts'],
  },
  'prune-comparison-earlier': {
    rule: 'a stored comparison goes with its earlier snapshot',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const since = goneSince(from, published, now) ?? goneSince(to, published, now);',
    replace: 'const since = goneSince(to, published, now);',
    caughtBy: ['test/snapshot/keep/comparisons.test.ts'],
  },
  'prune-comparison-later': {
    rule: 'a stored comparison goes with its later snapshot',
    file: 'src/snapshot/keep/removals.ts',
    find: 'const since = goneSince(from, published, now) ?? goneSince(to, published, now);',
    replace: 'const since = goneSince(from, published, now);',
    caughtBy: ['test/snapshot/keep/comparisons.test.ts'],
  },
  'prune-comparison-retracted': {
    rule: 'a stored comparison goes with a retracted snapshot',
    file: 'src/snapshot/keep/removals.ts',
    find: 'return retraction?.at ?? mayGoSince(published, entry, now) ?? (removed ? now : null);',
    replace: 'return mayGoSince(published, entry, now) ?? (removed ? now : null);',
    caughtBy: ['test/snapshot/keep/comparisons.test.ts'],
  },
  'prune-comparison-first': {
    rule: 'a stored comparison goes before its snapshots',
    file: 'src/snapshot/keep/removals.ts',
    find: 'return [...comparisons, ...builds, ...(await partRemovals(account, now, tools))];',
    replace: 'return [...builds, ...comparisons, ...(await partRemovals(account, now, tools))];',
    caughtBy: ['test/snapshot/keep/comparisons.test.ts'],
  },
  'pin-again-after-release': {
    rule: 'a snapshot whose pin was released is pinned again, also until the same day',
    file: 'src/snapshot/keep/pins.ts',
    find: 'if (known?.released_at === null && known.until === until && !isMoved) return null;',
    replace: 'if (known?.until === until && !isMoved) return null;',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'pin-not-while-removed': {
    rule: 'a snapshot whose deletion has begun cannot be pinned: no answer says that it is kept',
    file: 'src/snapshot/keep/pins.ts',
    find: 'if (removed) throw gone(snapshot_id);\n      const known = pins.get(name);',
    replace: 'if (removed && pins.size === 0) throw gone(snapshot_id);\n      const known = pins.get(name);',
    caughtBy: ['test/snapshot/keep/pins.test.ts'],
  },
  'scrub-further-damage': {
    rule: 'a further damaged file of a snapshot in quarantine is named and refused, too',
    file: 'src/snapshot/keep/scrub-snapshot.ts',
    find: "quarantine?.files.join() === files.join() ? null : { kind: 'quarantined', files },",
    replace: "quarantine !== null ? null : { kind: 'quarantined', files },",
    caughtBy: ['test/snapshot/keep/scrub.test.ts'],
  },
  'prune-retention-damaged': {
    rule: 'the retention job fails over a damaged snapshot, also if it pruned all accounts',
    file: 'src/commands/actions/nightly.ts',
    find: 'if (!retained || !sound) process.exitCode = 1;',
    replace: 'if (!retained && !sound) process.exitCode = 1;',
    caughtBy: ['test/commands/prune.test.ts'],
  },
};
