/** The programs that pull a snapshot. */
import type { Mutants } from './mutant.ts';

export const PULL: Mutants = {
  'history-replaced': {
    rule: 'a load without --history never deletes a history',
    file: 'src/warehouse/held-snapshots.ts',
    find: 'if (held.length < 2) return !isHeld;',
    replace: 'if (held.length < 9) return !isHeld;',
    caughtBy: ['test/warehouse/held-snapshots.test.ts'],
  },
  'pull-flush-file': {
    rule: 'a file is flushed before its folder is renamed',
    file: 'schema/pull.mjs',
    find: `
    if (from < file.size_bytes) await fetchFrom(from, server, path, file, handle, moved);
    await handle.sync();`,
    replace: `
    if (from < file.size_bytes) await fetchFrom(from, server, path, file, handle, moved);`,
    caughtBy: ['test/client/durable.test.ts'],
  },
  'pull-flush-folder': {
    rule: 'the folder of a snapshot is flushed before the control file names it',
    file: 'schema/pull.mjs',
    find: '\n    await flushFolders(finished, to);',
    replace: '',
    caughtBy: ['test/client/durable.test.ts'],
  },
  'pull-flush-whole': {
    rule: 'a file that a killed pull had written whole is flushed',
    file: 'schema/pull.mjs',
    find: 'if (from < file.size_bytes) await fetchFrom(from, server, path, file, handle, moved);',
    replace: `if (from >= file.size_bytes) return;
    await fetchFrom(from, server, path, file, handle, moved);`,
    caughtBy: ['test/client/durable.test.ts'],
  },
  'pull-key-entry': {
    rule: 'a pull checks the signature of the log entry',
    file: 'schema/pull.mjs',
    find: '    checkEntry(entry, signers);\n',
    replace: '',
    caughtBy: ['test/client/signed.test.ts'],
  },
  'pull-key-between': {
    rule: 'a pull checks the signature of every entry since the last pull',
    file: 'schema/pull.mjs',
    find: 'if (signers !== null && seq > known.seq) checkEntry(next, signers);',
    replace: '',
    caughtBy: ['test/client/signed.test.ts'],
  },
  'pull-log-back': {
    rule: 'a pull refuses a log that went back',
    file: 'schema/pull.mjs',
    find: 'if (latest && entry.seq < known.seq)',
    replace: 'if (latest && entry.seq < 0)',
    caughtBy: ['test/client/signed.test.ts'],
  },
  'pull-log-fork': {
    rule: 'a pull refuses a log whose entry of the last pull is another',
    file: 'schema/pull.mjs',
    find: 'if (seq === known.seq && next.sha256 !== known.sha256) throw refused(changed);',
    replace: '',
    caughtBy: ['test/client/signed.test.ts'],
  },
  'pull-identity': {
    rule: 'bytes are asked for uncompressed',
    file: 'schema/pull.mjs',
    find: "\n        'accept-encoding': 'identity',",
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-link-first': {
    rule: 'the link is swapped before the control file',
    file: 'schema/pull.mjs',
    find: `await point(to, snapshot_id);
  await writeWhole(join(to, CONTROL), \`\${JSON.stringify(control, null, 2)}\\n\`);`,
    replace: `await writeWhole(join(to, CONTROL), \`\${JSON.stringify(control, null, 2)}\\n\`);
  await point(to, snapshot_id);`,
    caughtBy: ['test/client/durable.test.ts'],
  },
  'pull-lock-dead': {
    rule: 'a lock that nobody touches for a minute is taken over',
    file: 'schema/pull.mjs',
    find: ' && Date.now() - mtimeMs < DEAD_AFTER_MS)',
    replace: ')',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-lock-own': {
    rule: 'a pull removes no lock but its own',
    file: 'schema/pull.mjs',
    find: "if ((await readFile(path, 'utf8').catch(() => null)) === own) await rm(path, { force: true });",
    replace: 'await rm(path, { force: true });',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-lock-touched': {
    rule: 'a lock is touched as long as its pull lives',
    file: 'schema/pull.mjs',
    find: '\n    utimes(path, now, now).catch(() => void 0);',
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-manifest-id': {
    rule: 'a manifest of another snapshot is refused',
    file: 'schema/pull.mjs',
    find: "\n  if (snapshot !== 'latest' && manifest.snapshot_id !== snapshot) throw malformed('another snapshot_id');",
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-manifest-longest': {
    rule: 'a manifest longer than any is refused',
    file: 'schema/pull.mjs',
    find: '\n    if (size > most_bytes) throw new PullStopped(3, `An answer is longer than ${most_bytes} bytes.`);',
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-py-flush-file': {
    rule: 'a file is flushed before its folder is renamed',
    file: 'src/client/pull.py',
    find: `# Also where all was here: a pull that was killed may have written the last byte and flushed nothing.
        os.fsync(file.fileno())`,
    replace:
      '# Also where all was here: a pull that was killed may have written the last byte and flushed nothing.',
    caughtBy: ['test/client/durable.test.ts'],
    program: 'python',
  },
  'pull-py-flush-folder': {
    rule: 'the folder of a snapshot is flushed before the control file names it',
    file: 'src/client/pull.py',
    find: '\n        flush_folders(finished, to)',
    replace: '',
    caughtBy: ['test/client/durable.test.ts'],
    program: 'python',
  },
  'pull-py-flush-whole': {
    rule: 'a file that a killed pull had written whole is flushed',
    file: 'src/client/pull.py',
    find: 'if start < size_bytes:',
    replace: `if start >= size_bytes:
            return
        if True:`,
    caughtBy: ['test/client/durable.test.ts'],
    program: 'python',
  },
  'pull-py-link-first': {
    rule: 'the link is swapped before the control file',
    file: 'src/client/pull.py',
    find: 'pointer, fresh = os.path.join(to, "latest"), os.path.join(to, ".latest")',
    replace: String.raw`write_whole(path, (json.dumps(control, indent=2) + "\n").encode())
    pointer, fresh = os.path.join(to, "latest"), os.path.join(to, ".latest")`,
    caughtBy: ['test/client/durable.test.ts'],
    program: 'python',
  },
  'pull-py-lock-dead': {
    rule: 'a lock that nobody touches for a minute is taken over',
    file: 'src/client/pull.py',
    find: 'if not gone and time.time() - touched < DEAD_AFTER:',
    replace: 'if not gone:',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-lock-own': {
    rule: 'a pull removes no lock but its own',
    file: 'src/client/pull.py',
    find: 'held = file.read() == self.own',
    replace: 'held = True',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-lock-touched': {
    rule: 'a lock is touched as long as its pull lives',
    file: 'src/client/pull.py',
    find: 'os.utime(self.path)',
    replace: 'pass',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-manifest-id': {
    rule: 'a manifest of another snapshot is refused',
    file: 'src/client/pull.py',
    find: '\n        form(snapshot in ("latest", manifest["snapshot_id"]), "another snapshot_id")',
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-manifest-longest': {
    rule: 'a manifest longer than any is refused',
    file: 'src/client/pull.py',
    find: 'if len(body) > MAX_MANIFEST_BYTES:',
    replace: 'if False:',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-range-other': {
    rule: 'a part of another range is not taken',
    file: 'src/client/pull.py',
    find: 'elif not (answer.headers.get("Content-Range") or "").startswith(f"bytes {start}-"):',
    replace: 'elif not (answer.headers.get("Content-Range") or "").startswith("bytes "):',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-py-tries-reset': {
    rule: 'tries are counted anew whenever bytes came',
    file: 'src/client/pull.py',
    find: 'return attempt(lambda: tries.__setitem__(0, 0))',
    replace: 'return attempt(lambda: None)',
    caughtBy: ['test/client/rules.test.ts'],
    program: 'python',
  },
  'pull-range-other': {
    rule: 'a part of another range is not taken',
    file: 'schema/pull.mjs',
    find: "} else if (headers.get('content-range')?.startsWith(`bytes ${from}-`) !== true)",
    replace: "} else if (headers.get('content-range')?.startsWith(`bytes `) !== true)",
    caughtBy: ['test/client/rules.test.ts'],
  },
  'pull-tries-reset': {
    rule: 'tries are counted anew whenever bytes came',
    file: 'schema/pull.mjs',
    find: '\n        tries = 0;',
    replace: '',
    caughtBy: ['test/client/rules.test.ts'],
  },
};
