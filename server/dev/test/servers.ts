import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { fillEmptyDatabase } from '../../board/catalogue/catalogue.ts';
import { type Context, createContext } from '../../context.ts';
import { write } from '../../db/unit-of-work.ts';
import { readEnv } from '../../env.ts';
import { serve } from '../../server.ts';
import { SHOWN_WHEN_FILLED } from './shown-when-filled.ts';
import { CHEAP_HASH, signIn } from './sign-in.ts';

/**
 * A program that runs servers for the browser tests, each on its own port and data, as its parent says. A separate process
 * would take a server longer to start than most of these tests run.
 */

const question = z.object({
  /** The answer has the same. */
  id: z.number(),
  /** Settings of a server to start; else the port of one to stop. */
  ask: z.union([
    z.object({ start: z.record(z.string(), z.string()), spots: z.enum(['some', 'all']) }),
    z.object({ stop: z.number() }),
  ]),
});
export type Question = z.infer<typeof question>;

/** A message to the parent: where the started server listens, and its admin's token; or a failure. */
export type Answer = {
  id: number;
  port?: number | undefined;
  token?: string | undefined;
  failure?: string | undefined;
};

type Settings = { readonly [name: string]: string };

/** Spots of the catalogue in most tests: those of its first five categories, and those that tests name. */
const SPOTS_OF_SMALL_CATALOGUE = {
  upToId: 27,
  named: ['Abandoned Sewers', 'Asura Mirror', 'Fire Library', 'Goroma Hydras'],
};

interface Filled {
  folder: string;
  /** Of the admin, who is signed in there. */
  token: string;
}

const running = new Map<number, () => Promise<void>>();
const filled = new Map<string, Promise<Filled>>();

async function open(
  settings: Settings,
  DATA_DIR: string,
  spots: 'some' | 'all',
): Promise<{ port: number; close: () => Promise<void> }> {
  const env = readEnv({ ...settings, DATA_DIR });
  const ctx = await createContext({
    env,
    log: pino({ level: env.LOG_LEVEL }, pino.destination(2)),
    passwordCost: CHEAP_HASH,
  });
  if ((await fillEmptyDatabase(ctx)) && spots === 'some') await keepSomeSpots(ctx);
  const server = await serve(ctx);
  return {
    port: server.port,
    close: async () => {
      await server.stop();
      await ctx.close();
    },
  };
}

const newFolder = (): Promise<string> => mkdtemp(path.join(tmpdir(), 'claimboard-browser-'));

/** The other settings of a server that only fills its folder. */
const UNSEEN: Settings = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error', BACKUP_HOURS: '0' };

/** A folder as a server with these settings leaves it: hashing the admin's password and storing the catalogue take longest. */
async function fill(settings: Settings, spots: 'some' | 'all'): Promise<Filled> {
  const folder = await newFolder();
  const { port, close } = await open({ ...UNSEEN, ...settings }, folder, spots);
  const token = await signIn(port, settings);
  await close();
  return { folder, token };
}

/** All 285 spots make a page, and each of a test's searches in it, several times slower. */
async function keepSomeSpots(ctx: Context): Promise<void> {
  await write(ctx, async ({ tx, changes }) => {
    const { upToId, named } = SPOTS_OF_SMALL_CATALOGUE;
    await tx
      .deleteFrom('respawns')
      .where('id', '>', upToId)
      .where('name', 'not in', named)
      .execute();
    const used = tx
      .selectFrom('respawns')
      .select('category_id')
      .where('category_id', 'is not', null);
    await tx.deleteFrom('categories').where('id', 'not in', used).execute();
    changes.reset();
  });
}

async function start(
  settings: Settings,
  spots: 'some' | 'all',
): Promise<{ port: number; token: string }> {
  const visibleSettings = Object.fromEntries(
    Object.entries(settings).filter(([name]) => SHOWN_WHEN_FILLED.includes(name)),
  );
  const kind = JSON.stringify([visibleSettings, spots]);
  const template = filled.get(kind) ?? fill(visibleSettings, spots);
  filled.set(kind, template);
  const { folder: from, token } = await template;
  const folder = await newFolder();
  await cp(from, folder, { recursive: true });
  const { port, close } = await open(settings, folder, spots);
  running.set(port, async () => {
    running.delete(port);
    await close();
    await rm(folder, { recursive: true, force: true });
  });
  return { port, token };
}

async function answerTo({ id, ask }: Question): Promise<Answer> {
  try {
    if ('start' in ask) return { id, ...(await start(ask.start, ask.spots)) };
    await running.get(ask.stop)?.();
    return { id };
  } catch (error) {
    return { id, failure: String(error) };
  }
}

/** When the parent ends in any way, nothing is left behind. */
async function end(): Promise<void> {
  await Promise.allSettled([...running.values()].map((close) => close()));
  const templates = await Promise.allSettled(filled.values());
  for (const one of templates)
    if (one.status === 'fulfilled') await rm(one.value.folder, { recursive: true, force: true });
  process.exit(0);
}

process.on('message', async (message) => {
  process.send?.(await answerTo(question.parse(message)));
});
process.on('disconnect', () => void end());
