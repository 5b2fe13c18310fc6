import { setTimeout as pause } from 'node:timers/promises';
import type { Tried } from '../proof.ts';
import { restore, strike, targetOf } from './blow.ts';
import { aGuild } from './guild.ts';
import { unaccounted } from './ledger.ts';
import { Onlooker } from './onlooker.ts';
import { openPlace, type Place } from './place.ts';
import { CHARACTERS_A_WRITER, DATES, type Script, scriptOf, WRITERS } from './script.ts';
import { servedAgain } from './served-again.ts';
import { readStored } from './stored.ts';
import { type Submission, Writer } from './writer.ts';

export interface Storm {
  engine: Place['engine'];
  seed: number;
  rounds: number;
  say: (line: string) => void;
  /** Within what time what was hit serves again and watchers are told, in milliseconds. */
  limit_ms: number;
}

/** Rounds that share a database, so that each finds what the last one left, and no database grows without end. */
const ROUNDS_A_PLACE = 25;
const KILL_FIRST_START_WITHIN_MS = 1_500;

class Tally {
  acknowledged = 0;
  retried = 0;
  stored = 0;
  slowest_ms = 0;
  readonly failed: string[] = [];
}

/** Kills servers, and PostgreSQL, under writers, again and again. */
export async function killRounds({ engine, seed, rounds, say, limit_ms }: Storm): Promise<Tried> {
  const tally = new Tally();
  for (let done = 0; done < rounds; ) {
    const many = Math.min(ROUNDS_A_PLACE, rounds - done);
    const scripts = Array.from({ length: many }, (_, i) => ({ round: done + i, script: scriptOf(seed + done + i) }));
    done += await roundsInOnePlace(engine, scripts, { tally, seed, say, limit_ms });
  }
  const { acknowledged, retried, stored, slowest_ms, failed } = tally;
  const figures = `${acknowledged} acknowledged, ${retried} retried of which ${stored} had been stored`;
  return { what: `${engine} kill -9 rounds (${figures}; served again after at most ${Math.round(slowest_ms)} ms)`, tried: rounds, failed };
}

type Progress = Pick<Storm, 'seed' | 'say' | 'limit_ms'> & { tally: Tally };

/** @returns how many were played: after one that fails, the others go on elsewhere */
async function roundsInOnePlace(
  engine: Place['engine'],
  scripts: { round: number; script: Script }[],
  progress: Progress,
): Promise<number> {
  const { tally, seed, say, limit_ms } = progress;
  const first = scripts[0]?.script.target ?? 0;
  const place = await openPlace(engine, {
    servers: engine === 'postgres' ? 2 : 1,
    first_start_killed_after_ms: first % 2 === 0 ? (first * 7) % KILL_FIRST_START_WITHIN_MS : null,
  });
  const onlookers: Onlooker[] = [];
  try {
    const guild = await aGuild(place.urls[0] ?? '', WRITERS * CHARACTERS_A_WRITER, DATES);
    const writers = Array.from({ length: WRITERS }, (_, i) => {
      const keys = guild.keys.slice(i * CHARACTERS_A_WRITER, (i + 1) * CHARACTERS_A_WRITER);
      return new Writer(keys, guild.token, guild.dates);
    });
    for (const [at, url] of place.urls.entries()) {
      onlookers.push(new Onlooker(`the member at server ${at}`, url, { access_key: guild.keys[0]?.key_value ?? '' }));
      onlookers.push(new Onlooker(`the admin at server ${at}`, url, { admin_token: guild.token }));
    }
    for (const [at, { round, script }] of scripts.entries()) {
      const failed = await playRound({ place, token: guild.token, writers, onlookers, script, tally, limit_ms }).catch((error: unknown) => [
        String(error),
      ]);
      const hit = targetOf(place, script);
      for (const failure of failed) tally.failed.push(`${engine} seed ${seed} round ${round} (${hit} killed): ${failure}`);
      for (const failure of failed) say(`  ✗ round ${round} (${hit} killed): ${failure}`);
      if ((round + 1) % ROUNDS_A_PLACE === 0) {
        say(`${engine}: round ${round + 1}, ${tally.acknowledged} acknowledged, ${tally.retried} retried, ${tally.failed.length} failed`);
      }
      // What one round breaks would be told again by each that follows.
      if (failed.length > 0) return at + 1;
    }
    return scripts.length;
  } finally {
    for (const onlooker of onlookers) onlooker.leave();
    await place.close();
  }
}

interface Round {
  place: Place;
  /** The admin's. */
  token: string;
  writers: readonly Writer[];
  onlookers: readonly Onlooker[];
  script: Script;
  tally: Tally;
  limit_ms: number;
}

/** @returns what did not hold */
async function playRound(round: Round): Promise<string[]> {
  const { place, token, writers, onlookers, script, tally, limit_ms } = round;
  await writeUntilBlow(round);
  await restore(place, script);
  const { after_ms, failed: late } = await servedAgain(place.urls, token, limit_ms);
  tally.slowest_ms = Math.max(tally.slowest_ms, after_ms);
  if (late.length > 0) return late;

  const failures: string[] = [];
  if (place.engine === 'sqlite') {
    // Nothing but the server was hit: as long as it answers, it answers properly.
    for (const { stopped } of writers) if (stopped?.startsWith('5')) failures.push(`answered ${stopped}`);
  }
  failures.push(...(await sendAgain(round)));
  const { claims, failures: halves } = await readStored(place.settings);
  failures.push(...halves);
  for (const { ledger } of writers) failures.push(...ledger.settle(claims));
  failures.push(
    ...unaccounted(
      claims,
      writers.map(({ ledger }) => ledger),
    ),
  );
  for (const differences of await Promise.all(onlookers.map((onlooker) => onlooker.differences(limit_ms)))) failures.push(...differences);
  return failures;
}

async function writeUntilBlow({ place, writers, script, tally }: Round): Promise<void> {
  const before = writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  let answers = 0;
  const { promise: due, resolve: fall } = Promise.withResolvers<void>();
  const writing = writers.map((writer, at) =>
    writer.write(place.urls[at % place.urls.length] ?? '', script.deeds[at] ?? [], () => {
      answers += 1;
      if (answers >= script.after_answers) fall();
    }),
  );
  const ended = Promise.all(writing);
  await Promise.race([due, ended]);
  await pause(script.delay_ms);
  await strike(place, script);
  await ended;
  tally.acknowledged += writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0) - before;
}

/** Whatever nobody answered, and one that was answered, each at another server than the first time. */
async function sendAgain({ place, writers, script, tally }: Round): Promise<string[]> {
  const failures: string[] = [];
  const elsewhere = (at: number): string => place.urls[(at + 1) % place.urls.length] ?? '';
  const send = async (at: number, writer: Writer, submission: Submission): Promise<void> => {
    failures.push(...(await writer.repeat(elsewhere(at), submission)));
  };
  for (const [at, writer] of writers.entries()) {
    const { unanswered, answered } = writer;
    if (unanswered) {
      tally.retried += 1;
      await send(at, writer, unanswered);
      if (writer.recovered) tally.stored += 1;
    }
    const again = answered[script.repeat % Math.max(answered.length, 1)];
    if (again) await send(at, writer, again);
  }
  return failures;
}
