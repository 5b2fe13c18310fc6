import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import type { OnlineHunters } from '../../../shared/schemas/online.ts';
import { readConfig } from '../../board/records/guild.ts';
import type { Reading } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { type Writing, writeUnseen } from '../../db/unit-of-work.ts';
import type { JobContext, Lease, OutsideKind } from '../../jobs/job-kind.ts';
import { addMissingJob } from '../../jobs/job-store.ts';
import { newestOnline, publishOnline } from '../../live/online.ts';
import type { PresenceRelay } from '../../live/presence-relay.ts';
import { backOffAfter } from '../verification/character-source.ts';
import { askTibiaData, askWorld, type Failure } from '../verification/tibiadata.ts';
import { nextHunters } from './hunters.ts';

/** An answer that takes longer is a failure. */
const TIMEOUT_MS = 8_000;
/** A reading by any server is repeated no earlier than this. */
const LEAST_AGE_MS = 45_000;
/** A character's world is looked up again after this: characters move to other worlds. */
const WORLD_LASTS_MS = 86_400_000;
/** Characters that one reading looks up, so that the source is asked little at once. */
const LOOK_UPS = 10;

interface Known {
  /** By character. null: the source knows no such character, or names no world. */
  worlds: Map<string, { world: string | null; at: number }>;
  /** Since when a hunter has been offline, as far as this process and those that shared with it know. */
  offline: Map<string, string>;
  failures: number;
  paused_until: number;
}

const known = defineMemory(
  (): Known => ({ worlds: new Map(), offline: new Map(), failures: 0, paused_until: 0 }),
);

interface OnlineJobContext extends JobContext {
  presence: PresenceRelay;
}

const isOn = async (ctx: Reading): Promise<boolean> =>
  ctx.env.CHARACTER_CHECK === 'tibiadata' && (await readConfig(ctx, ctx.db)).online_enabled === 1;

/** Has one of the servers read who is online, if some hunters are to be looked for and no server did just now. */
export async function readOnlineSoon(ctx: Writing): Promise<void> {
  const now = ctx.now();
  const as_of = newestOnline(ctx).hunters?.as_of;
  if (as_of !== undefined && Math.abs(now.getTime() - Date.parse(as_of)) < LEAST_AGE_MS) return;
  if (!(await isOn(ctx)) || (await nextHunters(ctx)).size === 0) return;
  await writeUnseen(ctx, (unit) =>
    addMissingJob(unit, readOnline, { key: '', due_at: now, payload: null }),
  );
}

/** Reads the worlds of the next hunters, one request at a time, and shares who is online. A failure waits for the next minute. */
export const readOnline: OutsideKind<null, OnlineJobContext> = {
  kind: 'online.read',
  runs: 'outside',
  payload: z.null(),
  max_running: 1,
  timeout_s: 120,
  unseen: true,
  run: async (ctx, _job, lease) => {
    if (!(await isOn(ctx)) || ctx.now().getTime() < known(ctx).paused_until) return undefined;
    const hunters = await nextHunters(ctx);
    const reading = await readWorlds(ctx, hunters, lease);
    if (reading) publishOnline(ctx.presence, reading);
    return undefined;
  },
};

/** @returns null if the source failed for every world, or is left alone */
async function readWorlds(
  ctx: OnlineJobContext,
  hunters: ReadonlyMap<string, string>,
  lease: Lease,
): Promise<OnlineHunters | null> {
  const memory = known(ctx);
  shareOffline(ctx, memory);
  const as_of = ctx.now().toISOString();
  const byWorld = await worldsOf(ctx, hunters, lease);
  const names: string[] = [];
  const worlds: string[] = [];
  const offline: { name: string; since: string }[] = [];
  let answers = 0;
  for (const [world, keys] of byWorld) {
    if (!(await lease.mayContinue()) || ctx.now().getTime() < memory.paused_until) break;
    const finding = await askWorld(ctx.env.CHARACTER_API_URL, world, TIMEOUT_MS);
    if (finding.type === 'failure') {
      backOff(ctx, memory, finding);
      continue;
    }
    memory.failures = 0;
    // The world was renamed or merged: its characters are looked up again.
    if (finding.type === 'missing') for (const key of keys) memory.worlds.delete(key);
    // A world without anyone is one that the source doesn't know well just now.
    if (finding.type === 'missing' || finding.online.size === 0) continue;
    answers += 1;
    for (const key of keys) {
      const name = hunters.get(key) ?? '';
      if (finding.online.has(key)) {
        memory.offline.delete(key);
        names.push(name);
        worlds.push(finding.name);
      } else {
        const since = memory.offline.get(key) ?? as_of;
        memory.offline.set(key, since);
        offline.push({ name, since });
      }
    }
  }
  for (const key of memory.offline.keys()) if (!hunters.has(key)) memory.offline.delete(key);
  return answers > 0 ? { names, worlds, as_of, offline } : null;
}

/** Another server may have read before: it knew since when hunters are offline. */
function shareOffline(ctx: OnlineJobContext, memory: Known): void {
  for (const { name, since } of newestOnline(ctx).hunters?.offline ?? []) {
    const key = nameKey(name);
    if (!memory.offline.has(key)) memory.offline.set(key, since);
  }
}

/** The hunters by their worlds; of a new character the world is looked up. Those whose world is unknown are left out. */
async function worldsOf(
  ctx: OnlineJobContext,
  hunters: ReadonlyMap<string, string>,
  lease: Lease,
): Promise<Map<string, string[]>> {
  const memory = known(ctx);
  const byWorld = new Map<string, string[]>();
  let lookUps = 0;
  for (const [key, name] of hunters) {
    const at = ctx.now().getTime();
    const found = memory.worlds.get(key);
    const isStale = !found || Math.abs(at - found.at) > WORLD_LASTS_MS;
    const mayAsk = lookUps < LOOK_UPS && at >= memory.paused_until;
    if (isStale && mayAsk && (await lease.mayContinue())) {
      lookUps += 1;
      const { finding } = await askTibiaData(ctx.env.CHARACTER_API_URL, name, TIMEOUT_MS);
      if (finding.type === 'failure') backOff(ctx, memory, finding);
      else {
        const world = finding.type === 'character' ? finding.character.world : null;
        memory.worlds.set(key, { world, at });
      }
    }
    const world = memory.worlds.get(key)?.world;
    if (world) byWorld.set(world, [...(byWorld.get(world) ?? []), key]);
  }
  return byWorld;
}

/** Leaves the source alone for longer and longer, or for as long as it asks for. */
function backOff(ctx: OnlineJobContext, memory: Known, failure: Failure): void {
  memory.failures += 1;
  memory.paused_until = ctx.now().getTime() + backOffAfter(memory.failures, failure);
  ctx.log.warn(
    { reason: failure.reason, failures: memory.failures },
    'who is online could not be read from the game’s data',
  );
}
