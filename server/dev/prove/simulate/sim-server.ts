import type { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { pino } from 'pino';
import { mountDownloads, routes } from '../../../app.ts';
import { correctBoardDate } from '../../../board/config/day.ts';
import { type Context, createContext } from '../../../context.ts';
import { readEnv } from '../../../env.ts';
import { jobKindsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import { createExpressApp } from '../../../http/express-app.ts';
import { createMetrics } from '../../../http/metrics.ts';
import { createJobs } from '../../../jobs/runner.ts';
import type { LiveServer } from '../../../live/live-server.ts';
import { createLive } from '../../../live/sockets.ts';
import { discordMemory } from '../../../notifications/discord-app/memory.ts';
import type { Post } from '../../../notifications/outbound/post.ts';
import { type MemoryDatabase, openMemory } from './memory-database.ts';
import type { Turns } from './turns.ts';

const env = readEnv({
  ADMIN_PASSWORD: 'hunting-at-night',
  CHARACTER_CHECK: 'manual',
  BACKUP_HOURS: '0',
  BACKUPS_KEPT: '0',
});
/** One for all worlds: it starts what watches the process. */
const metrics = createMetrics();

/** The product's server, without its port: connections come to it from the world. */
export interface SimServer {
  ctx: Context;
  http: Server;
  io: LiveServer;
  database: MemoryDatabase;
  /** The failures it logged; a healthy server logs none. */
  failures: string[];
  accept: (connection: EventEmitter) => boolean;
  /** Ends what repeats; the database stays open for what is under way. */
  silence: () => void;
}

export interface SimServerOptions {
  copy: Buffer | null;
  turns: Turns;
  now: () => Date;
  /** Calls Discord. */
  post: Post;
}

export async function startServer({
  copy,
  turns,
  now,
  post,
}: SimServerOptions): Promise<SimServer> {
  const failures: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => failures.push(line.trim()) });
  const database = openMemory(copy, () => turns.pauses());
  const ctx = await createContext({ env, log, now, database, metrics, post });
  // The clock stands still: a member's commands would be too many for ten seconds.
  discordMemory(ctx).commands = {
    ...discordMemory(ctx).commands,
    admit: () => 1,
  };
  await correctBoardDate(ctx);
  const http = createServer(createExpressApp(ctx, { routes, mountDownloads }));
  const io = createLive(ctx, http, { emptySetsDelay: 0 });
  const jobs = createJobs(ctx, jobKindsOf(features));
  void jobs.runDue();
  let isSilent = false;
  return {
    ctx,
    http,
    io,
    database,
    failures,
    accept: (connection) => !isSilent && io.engine.emit('connection', connection),
    silence: () => {
      isSilent = true;
      void jobs.stop();
      http.emit('close');
    },
  };
}
