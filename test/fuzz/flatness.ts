/** Whether what a process holds grows with what it is asked. */

export interface Sample {
  /** Requests answered by then. */
  readonly done: number;
  readonly bytes: number;
  readonly descriptors: number;
}

/** By the second half of the samples, per 100,000 requests: the first half fills caches. */
export function slopes(samples: readonly Sample[]): { readonly bytes: number; readonly descriptors: number } {
  const settled = samples.slice(Math.floor(samples.length / 2));
  return {
    bytes: slope(settled.map(({ done, bytes }) => [done, bytes])) * 100_000,
    descriptors: slope(settled.map(({ done, descriptors }) => [done, descriptors])) * 100_000,
  };
}

/** Of the line of least squares. */
function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1): number => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return spread === 0 ? 0 : together / spread;
}
