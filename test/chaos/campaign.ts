/** What every campaign of `npm run chaos` is: a fault, how often, and what must not come of it. */

/** How one run of a campaign is asked for. */
export interface CampaignRequest {
  /** The same seed makes the same faults in the same order. */
  readonly seed: number;
  /** How many of its own units: schedules, kill points, builds, files, mutations. */
  readonly times: number;
  /** Tells of progress on long runs. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** What a campaign found. */
export interface CampaignResult {
  /** Units done; fewer than asked for only where that is all there are. */
  readonly done: number;
  /** One sentence for each thing that must not have happened, with what repeats it. */
  readonly bad: readonly string[];
  /** Further figures to print, by name. */
  readonly figures: Readonly<Record<string, number>>;
}

/** One kind of fault, done many times to the real code. */
export interface Campaign {
  /** As `--only` takes it. */
  readonly name: string;
  /** One line: what is done, to what. */
  readonly title: string;
  /** The rows of the fault and attack matrices that it shows: `F-21`, `A-17`. */
  readonly rows: readonly string[];
  /** Its unit, in the plural. */
  readonly unit: string;
  /** How many units `--short` does, and how many a whole run. */
  readonly times: { readonly short: number; readonly long: number };
  /** What the machine lacks for it, in words; undefined when it can run. */
  readonly lacks?: () => Promise<string | undefined>;
  readonly run: (request: CampaignRequest) => Promise<CampaignResult>;
}
