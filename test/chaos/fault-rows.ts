/**
 * The faults that this project answers for, by the ids that tests and campaigns bear: `F-12` in the title of a test, or
 * among the rows of a campaign. What of a row cannot be shown on any machine stands beside it.
 */
export interface FaultRow {
  readonly id: string;
  readonly fault: string;
  /** What of it no test shows, and why. */
  readonly beside?: string;
}

const FAULTS: readonly (string | readonly [fault: string, beside: string])[] = [
  'kill -9 at each step and call to the system',
  'SIGTERM in a build',
  'SIGSTOP, and SIGCONT after a newer publish',
  [
    'power cut',
    'The cut is of what the machine held in memory; a disk that forgets what it said was flushed is none that any program can survive.',
  ],
  'connection lost in COPY at any byte',
  'PostgreSQL killed or stopped at once in a build',
  'the database accepts and never answers',
  [
    'half-open TCP, no keep-alive',
    'A peer that vanished from the network is noticed by the probes of the operating system, within half a minute; a loopback cannot lose one. What is shown is a peer that falls silent.',
  ],
  'too many connections, wrong password',
  'a writer holds a transaction open',
  'the ledger read is a standby',
  'rewrite or TRUNCATE while a build reads',
  'a migration drops or renames a column before the build',
  'a migration adds a column',
  'a build holds up a migration',
  'a storm of writes',
  'a month closed while a cost commits',
  'numbers at the edges',
  'totals and export disagree',
  'S3 answers 500, 503 or SlowDown',
  'S3 gives no answer although it applied',
  'S3 answers 409, 412 or 400 BadDigest',
  'the body of an answer is cut, or longer than said',
  'S3 gives another object',
  'a listing is old or paged',
  'the store ignores its conditions',
  'credentials expire, the clock is skewed',
  'a redirect to another host',
  'no space left',
  'no descriptor, no memory',
  'a folder that may not be written',
  'EIO on reading and flushing',
  'a slow disk',
  'moved clocks',
  [
    'too little memory',
    'The heap is limited, not the machine: the kernel then ends a process with kill -9, as F-1 has it.',
  ],
  'a schedule fires twice, many workers take one job',
  'a worker dies holding a job',
  'a row committed late',
  'a bit flipped in a stored file',
  'a stored file cut, longer or gone',
  'a poisoned manifest',
  'a log entry edited, removed or forked',
  "another account's snapshot copied here",
  'an old server and a newer schema',
  'the collector dies while it deletes',
  'a deletion while slow readers download',
  'the first build, an account switched off or deleted',
  'a token revoked, a plan changed',
];

/** In order: F-1 is the first. */
export const FAULT_ROWS: readonly FaultRow[] = FAULTS.map((row, at) => {
  const id = `F-${at + 1}`;
  return typeof row === 'string' ? { id, fault: row } : { id, fault: row[0], beside: row[1] };
});
