/** Which scenarios of the official suite are excused, each for a capability that the assistant does not have. */

/** The revisions whose required scenarios are run. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

export type Revision = (typeof REVISIONS)[number];

interface Excuse {
  /** As a server advertises it, or, where servers advertise nothing, as a client does for what servers may ask of it. */
  readonly capability: string;
  readonly scenarios: Readonly<Record<Revision, readonly string[]>>;
}

/** By capability; what is not listed must pass, and what is listed must fail. */
export const EXCUSES: readonly Excuse[] = [
  {
    capability: 'resources.subscribe',
    scenarios: { '2026-07-28': [], '2025-11-25': ['resources-subscribe', 'resources-unsubscribe'] },
  },
  {
    capability: 'logging',
    scenarios: { '2026-07-28': [], '2025-11-25': ['logging-set-level', 'tools-call-with-logging'] },
  },
  {
    capability: 'elicitation',
    scenarios: {
      '2026-07-28': [
        'input-required-result-basic-elicitation',
        'input-required-result-request-state',
        'input-required-result-multiple-input-requests',
        'input-required-result-multi-round',
        'input-required-result-non-tool-request',
        'input-required-result-result-type',
        'input-required-result-tampered-state',
        'input-required-result-capability-check',
        'input-required-result-missing-input-response',
        'input-required-result-ignore-extra-params',
      ],
      '2025-11-25': ['tools-call-elicitation', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    },
  },
  {
    capability: 'sampling',
    scenarios: {
      '2026-07-28': ['input-required-result-basic-sampling'],
      '2025-11-25': ['tools-call-sampling'],
    },
  },
  {
    capability: 'roots',
    scenarios: { '2026-07-28': ['input-required-result-basic-list-roots'], '2025-11-25': [] },
  },
  {
    // No session id is given out: every request stands for itself, and a stream belongs to none.
    capability: 'sessions',
    scenarios: { '2026-07-28': [], '2025-11-25': ['server-sse-multiple-streams'] },
  },
];

/** Every scenario of a revision that is excused. */
export function excusesOf(revision: Revision): readonly string[] {
  return EXCUSES.flatMap(({ scenarios }) => scenarios[revision]);
}
