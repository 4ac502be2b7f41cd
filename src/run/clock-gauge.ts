/** A Prometheus gauge: how far the clocks of database and store are ahead of this process. */
import { Gauge } from '@prometheus-io/client';
import type { Clocks } from '../clock-offsets.ts';
import { SECOND } from '../instant.ts';

/** The gauge, for the caller to register; it reads the clocks at each scrape. */
export function clockGauge(readClocks: () => Promise<Clocks>): Gauge {
  return new Gauge({
    name: 'crossfoot_clock_offset_seconds',
    help: 'Seconds ahead of this process; negative: behind. If any two clocks differ by more than 120, nothing is queued, built, published or deleted.',
    labelNames: ['clock'],
    registers: [],
    async collect() {
      const { database_offset, store_offset } = await readClocks();
      this.set({ clock: 'database' }, Number(database_offset) / Number(SECOND));
      // If the store does not answer, the gauge keeps its last offset.
      if (store_offset !== null) {
        this.set({ clock: 'store' }, Number(store_offset) / Number(SECOND));
      }
    },
  });
}
