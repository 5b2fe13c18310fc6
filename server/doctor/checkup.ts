import type { Logger } from 'pino';
import type { SystemCheckup } from '../../shared/schemas/system.ts';
import type { Troubled } from '../due/troubled.ts';
import type { Env } from '../env.ts';
import type { Finding } from './examine.ts';
import type { Supervising } from './supervise.ts';

/** Runs of all checks on a server, one at a time for everybody who asks, and what the last one found. */
export interface Checkups {
  state: () => SystemCheckup;
  /** Begins one, unless one is under way. */
  start: () => void;
  stop: () => Promise<void>;
}

interface Checking {
  env: Env;
  log: Pick<Logger, 'error'>;
  now: () => Date;
  troubled: Pick<Troubled, 'names'>;
  /** For tests. */
  program?: Supervising['program'];
}

export function createCheckups({ env, log, now, troubled, program }: Checking): Checkups {
  let last: SystemCheckup['last'] = null;
  let running: SystemCheckup['running'] = null;
  let looking: Promise<void> | null = null;
  const stopping = new AbortController();

  /** What only the server itself knows: nobody else sees what it cannot end. */
  const known = (finding: Finding): Finding => {
    const names = finding.name === 'due' ? troubled.names(now()) : [];
    return names.length === 0 ? finding : { name: 'due', finding: 'troubled', params: { sources: names.join(', ') } };
  };

  const look = async (): Promise<void> => {
    const started_at = now().toISOString();
    running = { started_at, looking_at: null, done: 0, of: 0 };
    try {
      // For who asks: the sentences of three languages, and what speaks them.
      const [{ supervise }, { resultOf }, { CHECK_NAMES: names }] = await Promise.all([
        import('./supervise.ts'),
        import('./words.ts'),
        import('../../shared/rules/findings.ts'),
      ]);
      const found: Finding[] = [];
      for await (const said of supervise({ env, now, signal: stopping.signal, ...(program ? { program } : {}) })) {
        if (!('begun' in said)) found.push(known(said));
        running = { started_at, looking_at: 'begun' in said ? said.begun : running.looking_at, done: found.length, of: names.length };
      }
      last = { started_at, ended_at: now().toISOString(), checks: found.map(resultOf) };
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'the checks could not be run');
    } finally {
      running = null;
      looking = null;
    }
  };

  return {
    state: () => ({ last, running }),
    start: () => {
      if (!stopping.signal.aborted) looking ??= look();
    },
    stop: async () => {
      stopping.abort();
      await looking;
    },
  };
}
