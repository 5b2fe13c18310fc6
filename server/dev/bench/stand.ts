import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type FilledGuild, fillGuild, type GuildSize, moreOnBoard } from './guild.ts';
import { askJob } from './load/jobs.ts';
import type { Load } from './load/start.ts';
import type { Submissions } from './load/submit.ts';
import type { Lane } from './numbered-claim.ts';
import { ADMIN_PASSWORD, ROOT, type Subject, startSubject } from './subject.ts';

/** A guild and its server, which is started on demand. */
export interface Stand {
  guild: FilledGuild;
  /** Starts the server if it isn't running. */
  subject: () => Promise<Subject>;
  stop: () => Promise<void>;
  /** Reserves this many submissions that were not made before. */
  take: (lane: Lane, count: number) => Promise<Submissions>;
  /** The `Authorization` header of a signed-in admin. */
  admin: () => Promise<Record<string, string>>;
  /** Stops the server and fills the board up to this many claims. */
  fillBoard: (claims: number) => Promise<void>;
}

const signedIn = z.object({ data: z.object({ token: z.string() }) });

export async function createStand(load: Load, folder: string, size: GuildSize): Promise<Stand> {
  const data_dir = path.join(folder, `history-${size.history}`);
  await mkdir(data_dir);
  const guild = await fillGuild(ROOT, data_dir, size);
  let running: Subject | null = null;
  let token: string | null = null;
  let board = size.board;
  const next: Record<Lane, number> = { event: 0, 'no event': 0 };
  const stand: Stand = {
    guild,
    subject: async () => {
      running ??= await startSubject({ data_dir });
      return running;
    },
    stop: async () => {
      await running?.stop();
      running = null;
    },
    take: async (lane, count) => {
      const { url } = await stand.subject();
      const from = next[lane];
      next[lane] += count;
      return { url, guild: { today: guild.today, spots: guild.spots }, lane, from };
    },
    admin: async () => {
      const { url } = await stand.subject();
      if (token === null) {
        const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD });
        const { text } = await load.run(askJob, { url: `${url}/api/login`, method: 'POST', body });
        token = signedIn.parse(JSON.parse(text)).data.token;
      }
      return { authorization: `Bearer ${token}` };
    },
    fillBoard: async (claims) => {
      await stand.stop();
      await moreOnBoard(guild, { from: board, until: claims });
      board = claims;
    },
  };
  return stand;
}
