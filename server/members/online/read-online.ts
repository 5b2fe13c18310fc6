import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import type { OnlineHunters } from '../../../shared/schemas/online.ts';
import { readConfig } from '../../board/records/guild.ts';
import type { Reading } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import { type Writing, writeUnseen } from '../../db/unit-of-work.ts';
import type { JobContext, Lease, OutsideKind } from '../../jobs/job-kind.ts';
import { addMissingJob } from '../../jobs/job-store.ts';
import { isCurrent, newestOnline, publishOnline } from '../../live/online.ts';
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
/** As `WORLD_LASTS_MS`, for a character whose look-up failed. */
const FAILURE_LASTS_MS = 600_000;
/** Before a hunter is first called offline, a look-up older than this is repeated: they may have moved. */
const RECHECK_AFTER_MS = 300_000;
/** Characters that one reading looks up, so that the source is asked little at once. */
const LOOK_UPS = 10;
/** If this many different names fail in a row, the source itself is failing. */
const MAX_FAILING_NAMES = 3;

interface LookUp {
  /** null: the source knows no such character, names no world, or failed. */
  world: string | null;
  at: number;
  lasts_ms: number;
}

interface Known {
  /** By character. */
  lookUps: Map<string, LookUp>;
  /** Characters and worlds that failed since the last answer. */
  failing: Set<string>;
  /** Since the last answer. */
  pauses: number;
  paused_until: number;
}

const known = defineMemory(
  (): Known => ({ lookUps: new Map(), failing: new Set(), pauses: 0, paused_until: 0 }),
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

interface World {
  name: string;
  online: ReadonlySet<string>;
}

interface OnlineReading {
  ctx: OnlineJobContext;
  lease: Lease;
  hunters: ReadonlyMap<string, string>;
  /** The worlds that were asked for. null: a failure, or a world that the source doesn't know well just now. */
  asked: Map<string, World | null>;
  /** Since when hunters have been offline, as the newest reading of any server says while it is current. */
  since: ReadonlyMap<string, string>;
}

/** @returns null if the source failed for every world, or is left alone */
async function readWorlds(
  ctx: OnlineJobContext,
  hunters: ReadonlyMap<string, string>,
  lease: Lease,
): Promise<OnlineHunters | null> {
  const now = ctx.now();
  const as_of = now.toISOString();
  const { hunters: newest } = newestOnline(ctx);
  const offlineBefore = newest && isCurrent(newest, now) ? (newest.offline ?? []) : [];
  const since = new Map(offlineBefore.map((one) => [nameKey(one.name), one.since]));
  const reading: OnlineReading = { ctx, lease, hunters, since, asked: new Map() };
  // Before the look-ups: one that fails may have the source left alone.
  await askWorlds(reading);
  await lookUpHunters(reading);
  await askWorlds(reading);
  const names: string[] = [];
  const worlds: string[] = [];
  const offline: { name: string; since: string }[] = [];
  for (const [key, name] of hunters) {
    const world = worldOf(reading, key);
    if (world?.online.has(key)) {
      names.push(name);
      worlds.push(world.name);
    } else if (world && !isDue(reading, key)) {
      offline.push({ name, since: since.get(key) ?? as_of });
    }
  }
  const hasAnswer = [...reading.asked.values()].some((world) => world !== null);
  return hasAnswer ? { names, worlds, as_of, offline } : null;
}

/** The world of a hunter if it was read. */
function worldOf({ ctx, asked }: OnlineReading, key: string): World | null {
  return asked.get(known(ctx).lookUps.get(key)?.world ?? '') ?? null;
}

/** Whether a hunter's world is to be looked up. Until then the hunter may be online, but isn't known to be offline. */
function isDue(reading: OnlineReading, key: string): boolean {
  const { ctx, since } = reading;
  const found = known(ctx).lookUps.get(key);
  if (!found) return true;
  const age_ms = Math.abs(ctx.now().getTime() - found.at);
  if (age_ms > found.lasts_ms) return true;
  const world = worldOf(reading, key);
  const isNewlyOffline = world !== null && !world.online.has(key) && !since.has(key);
  return isNewlyOffline && age_ms > RECHECK_AFTER_MS;
}

const mayAsk = async ({ ctx, lease }: OnlineReading): Promise<boolean> =>
  ctx.now().getTime() >= known(ctx).paused_until && (await lease.mayContinue());

/** Asks for the hunters' worlds that were not asked for yet, as far as they are known. */
async function askWorlds(reading: OnlineReading): Promise<void> {
  const { ctx, hunters, asked } = reading;
  const { lookUps } = known(ctx);
  const byWorld = Map.groupBy(hunters.keys(), (key) => lookUps.get(key)?.world ?? null);
  for (const [world, keys] of byWorld) {
    if (world === null || asked.has(world)) continue;
    if (!(await mayAsk(reading))) return;
    const finding = await askWorld(ctx.env.CHARACTER_API_URL, world, TIMEOUT_MS);
    asked.set(world, finding.type === 'world' && finding.online.size > 0 ? finding : null);
    if (finding.type === 'failure') noteFailure(ctx, `world ${world}`, finding);
    else noteAnswer(ctx);
    // The world was renamed or merged: its characters are looked up again.
    if (finding.type === 'missing') for (const key of keys) lookUps.delete(key);
  }
}

async function lookUpHunters(reading: OnlineReading): Promise<void> {
  const { ctx, hunters } = reading;
  const { lookUps } = known(ctx);
  const due = [...hunters].filter(([key]) => isDue(reading, key));
  for (const [key, name] of due.slice(0, LOOK_UPS)) {
    if (!(await mayAsk(reading))) return;
    const { finding } = await askTibiaData(ctx.env.CHARACTER_API_URL, name, TIMEOUT_MS);
    const at = ctx.now().getTime();
    if (finding.type === 'failure') {
      noteFailure(ctx, key, finding);
      if (!finding.is_of_source) lookUps.set(key, { world: null, at, lasts_ms: FAILURE_LASTS_MS });
      continue;
    }
    noteAnswer(ctx);
    // A former name leads to the character too, but its world lists the new one.
    const isNamed = finding.type === 'character' && nameKey(finding.character.name) === key;
    const world = isNamed ? finding.character.world : null;
    lookUps.set(key, { world, at, lasts_ms: WORLD_LASTS_MS });
  }
}

function noteAnswer(ctx: OnlineJobContext): void {
  const memory = known(ctx);
  memory.failing.clear();
  memory.pauses = 0;
}

/** If the source itself fails, leaves it alone for longer and longer, or for as long as it asks for. */
function noteFailure(ctx: OnlineJobContext, name: string, failure: Failure): void {
  const memory = known(ctx);
  memory.failing.add(name);
  const isOfSource = failure.is_of_source || memory.failing.size >= MAX_FAILING_NAMES;
  if (isOfSource) {
    memory.pauses += 1;
    memory.paused_until = ctx.now().getTime() + backOffAfter(memory.pauses, failure);
  }
  ctx.log.warn(
    { name, reason: failure.reason, pauses: memory.pauses },
    'who is online could not be read from the game’s data',
  );
}
