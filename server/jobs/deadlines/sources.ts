import type { Logger } from 'pino';
import { noShowsDue } from '../../board/claims/confirm.ts';
import { holdsDue, waitsDue } from '../../board/waitlist/due.ts';
import { quietDue } from '../../board/waitlist/quiet.ts';
import { serveLines } from '../../board/waitlist/serve.ts';
import type { Heartbeats } from '../../db/clock/heartbeats.ts';
import type { Env } from '../../env.ts';
import type { Upkeep } from '../writing.ts';
import { createTroubled } from './troubled.ts';
import { createUpkeep } from './upkeep.ts';

interface Settings {
  env: Pick<Env, 'SS_TIME_ZONE' | 'SS_HOUR'>;
  log: Pick<Logger, 'error'>;
  heartbeats: Heartbeats;
  /** Whether this process ends what is due; else it leaves that to the servers. */
  isOurs: () => boolean;
}

/** All that ends by itself, and how what comes free by it is offered. */
export const upkeepOf = ({ env, log, heartbeats, isOurs }: Settings, troubled = createTroubled(log)): Upkeep =>
  createUpkeep([noShowsDue(env), holdsDue, waitsDue(env, heartbeats), quietDue], serveLines, troubled, isOurs);
