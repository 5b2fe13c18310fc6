import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of one server. Names and labels are read by others' dashboards: don't rename them. */
export interface Metrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  watchers: Gauge<'role'>;
  changeSets: Counter;
  /** Slow or flooding live connections that the server closed, and downloads of the board (`memory`). */
  disconnects: Counter<'why'>;
  /** Unexpected errors, by the place that caught them; each is in the log. */
  failures: Counter<'where'>;
  /** Errors that browsers reported; each is in the log. */
  clientErrors: Counter;
  /** Tables that grow for as long as a guild plays. `undo` is stored with `activity`'s entries. */
  storageBytes: Gauge<'table'>;
  /** Failed runs of jobs; each is in the log. */
  jobsFailed: Counter<'kind'>;
  /** Attempts to send notifications; `failed` ones are retried. */
  deliveries: Counter<'kind' | 'outcome'>;
  /** Registers a gauge that is read whenever /metrics is. Replaces an earlier one with the same name. */
  measure: <L extends string = never>(
    measurement: Measurement<L>,
    read: (gauge: Gauge<L>) => void | Promise<void>,
  ) => void;
}

interface Measurement<L extends string> {
  name: string;
  help: string;
  labelNames?: L[];
}

/** Memory, CPU and event loop of the process. */
const processRegistry = new Registry();

/** Gauges whose names end like a counter's, which `promtool check metrics` refuses; the same ones without `_total` have labels by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

let isMeasured = false;

/** Once per process, however many servers run in it: prom-client cannot stop its collectors. */
function measureProcess(): void {
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: processRegistry });
  for (const name of MISNAMED) processRegistry.removeSingleMetric(name);
}

/** Registered by presence, which knows how many choose hours. */
export const CHOOSERS = 'claimboard_choosers';

export function createMetrics(): Metrics {
  measureProcess();
  const registry = new Registry();
  return {
    registry,
    measure: (measurement, read) => measure({ registry }, measurement, read),
    requests: new Histogram({
      name: 'claimboard_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    watchers: new Gauge({
      name: 'claimboard_watchers',
      help: 'Live connections',
      labelNames: ['role'],
      registers: [registry],
    }),
    changeSets: new Counter({
      name: 'claimboard_change_sets_total',
      help: 'Change sets handed to watchers',
      registers: [registry],
    }),
    disconnects: new Counter({
      name: 'claimboard_live_disconnects_total',
      help: 'Live connections and downloads of the board cut off, by reason',
      labelNames: ['why'],
      registers: [registry],
    }),
    failures: new Counter({
      name: 'claimboard_failures_total',
      help: 'Failures of the server itself: http, live, process',
      labelNames: ['where'],
      registers: [registry],
    }),
    jobsFailed: new Counter({
      name: 'claimboard_jobs_failed_total',
      help: 'Runs of jobs that failed, by kind; most are tried again',
      labelNames: ['kind'],
      registers: [registry],
    }),
    deliveries: new Counter({
      name: 'claimboard_deliveries_total',
      help: 'Attempts to deliver notifications, by kind (discord, webhook, push, direct) and outcome (delivered, failed, given_up, switched_off)',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    clientErrors: new Counter({
      name: 'claimboard_client_errors_total',
      help: 'Errors that pages reported',
      registers: [registry],
    }),
    storageBytes: new Gauge({
      name: 'claimboard_storage_bytes',
      help: 'Bytes that tables and their indexes take: claims, archive, activity, undo',
      labelNames: ['table'],
      registers: [registry],
    }),
  };
}

/** For those that have no more than the registry. */
export function measure<L extends string = never>(
  { registry }: Pick<Metrics, 'registry'>,
  { name, help, labelNames = [] }: Measurement<L>,
  read: (gauge: Gauge<L>) => void | Promise<void>,
): void {
  registry.removeSingleMetric(name);
  const gauge: Gauge<L> = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    collect: () => read(gauge),
  });
  registry.registerMetric(gauge);
}

/** The text of /metrics: this process and this server. */
export async function renderMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  measureStored: () => Promise<void>,
): Promise<string> {
  await measureStored();
  return (await Promise.all([processRegistry.metrics(), registry.metrics()])).join('\n');
}
