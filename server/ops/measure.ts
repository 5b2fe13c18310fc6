import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

interface Measured<L extends string> {
  name: string;
  help: string;
  labelNames?: L[];
}

/** Tells at /metrics what is measured at each reading. Measured anew, it takes the first one's place. */
export function measure<L extends string = never>(
  { registry }: Pick<Metrics, 'registry'>,
  { name, help, labelNames = [] }: Measured<L>,
  read: (gauge: Gauge<L>) => void | Promise<void>,
): void {
  registry.removeSingleMetric(name);
  const gauge: Gauge<L> = new Gauge({ name, help, labelNames, registers: [], collect: () => read(gauge) });
  registry.registerMetric(gauge);
}
