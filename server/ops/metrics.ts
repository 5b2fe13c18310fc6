import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  requests: Histogram<'method' | 'route' | 'status'>;
  watchers: Gauge<'role'>;
  changeSets: Counter;
  /** Live connections that were ended for what they made this server hold or do. */
  cutOff: Counter<'why'>;
  /** What failed and was not a refusal of ours, by the place that caught it; each is in the log, too. */
  failures: Counter<'where'>;
  /** What failed in somebody's browser; each is in the log, too. */
  clientErrors: Counter;
  /** What grows for as long as a guild plays; what undos put back is part of the log. */
  storageBytes: Gauge<'table'>;
  /** What was due later and failed when it was run; each is in the log, too. */
  jobsFailed: Counter<'kind'>;
  /** Tries to send news to somebody outside; `failed` ones are tried again. */
  deliveries: Counter<'kind' | 'outcome'>;
}

/** Of the process itself: its memory, its time, its event loop. Read at /metrics with those of its server. */
const processRegistry = new Registry();

let isMeasured = false;

/** Starts measuring the process. Once per process, however many servers run in it: prom-client never stops its collectors. */
function measureProcess(): void {
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: processRegistry });
}

/** How many choose hours just now: known where they are told of each other. */
export const CHOOSERS = 'claimboard_choosers';

/** Metrics of one server, in Prometheus' terms; read at /metrics. */
export function createMetrics(): Metrics {
  measureProcess();
  const registry = new Registry();
  return {
    registry,
    requests: new Histogram({
      name: 'claimboard_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers: [registry],
    }),
    watchers: new Gauge({ name: 'claimboard_watchers', help: 'Live connections', labelNames: ['role'], registers: [registry] }),
    changeSets: new Counter({ name: 'claimboard_change_sets_total', help: 'Change sets handed to watchers', registers: [registry] }),
    cutOff: new Counter({
      name: 'claimboard_live_cut_off_total',
      help: 'Live connections cut off, by reason',
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
      help: 'Tries to send news, by kind (discord, webhook, push) and outcome (delivered, failed, given_up, switched_off)',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    clientErrors: new Counter({ name: 'claimboard_client_errors_total', help: 'Errors that pages reported', registers: [registry] }),
    storageBytes: new Gauge({
      name: 'claimboard_storage_bytes',
      help: 'Bytes that tables and their indexes take: claims, archive, activity, undo',
      labelNames: ['table'],
      registers: [registry],
    }),
  };
}

/** The text of /metrics: this process and this server. */
export async function renderMetrics({ registry }: Pick<Metrics, 'registry'>, measureStored: () => Promise<void>): Promise<string> {
  await measureStored();
  return (await Promise.all([processRegistry.metrics(), registry.metrics()])).join('\n');
}
