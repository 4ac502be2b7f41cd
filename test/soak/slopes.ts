/** Whether something that is measured again and again is rising. */

export interface Sample {
  readonly seconds: number;
  readonly value: number;
}

export interface Slope {
  readonly first: number;
  readonly last: number;
  /** By the line of least squares through all samples. */
  readonly per_hour: number;
  /** What that line gains from the first sample to the last. */
  readonly gained: number;
}

const SECONDS_PER_HOUR = 3_600;

/** The line of least squares through the samples; flat when there are too few for one. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) return { first: 0, last: 0, per_hour: 0, gained: 0 };
  const mean = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
  const [seconds, value] = [mean((sample) => sample.seconds), mean((sample) => sample.value)];
  const spread = samples.reduce((sum, sample) => sum + (sample.seconds - seconds) ** 2, 0);
  const together = samples.reduce(
    (sum, sample) => sum + (sample.seconds - seconds) * (sample.value - value),
    0,
  );
  const per_second = spread === 0 ? 0 : together / spread;
  return {
    first: first.value,
    last: last.value,
    per_hour: per_second * SECONDS_PER_HOUR,
    gained: per_second * (last.seconds - first.seconds),
  };
}
