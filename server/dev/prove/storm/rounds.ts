import type { Tried } from '../proof.ts';
import { restore, strike, targetOf } from './blow.ts';
import { openPlace, type Place } from './place.ts';
import { aCrew, type Crew, type Hit, playRound, Tally } from './round.ts';
import { type Script, scriptOf } from './script.ts';

export interface Storm {
  engine: Place['engine'];
  seed: number;
  rounds: number;
  say: (line: string) => void;
  /** Time limit for serving again and for watchers to catch up, in milliseconds. */
  limit_ms: number;
  commands: number;
}

/** Rounds that share a database, so that each finds what the last one left, and no database grows without end. */
const ROUNDS_A_PLACE = 25;
const KILL_FIRST_START_WITHIN_MS = 1_500;

/** Kills servers, and PostgreSQL, under writers, again and again. */
export async function killRounds({
  engine,
  seed,
  rounds,
  commands,
  say,
  limit_ms,
}: Storm): Promise<Tried> {
  const tally = new Tally();
  for (let done = 0; done < rounds; ) {
    const many = Math.min(ROUNDS_A_PLACE, rounds - done);
    const scripts = Array.from({ length: many }, (_, i) => ({
      round: done + i,
      script: scriptOf(seed + done + i, commands),
    }));
    done += await roundsInOnePlace(engine, scripts, { tally, seed, say, limit_ms });
  }
  return {
    what: `${engine} kill -9 rounds (${tally.figures})`,
    tried: rounds,
    failed: tally.failed,
  };
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
  let crew: Crew | null = null;
  try {
    crew = await aCrew(place);
    for (const [at, { round, script }] of scripts.entries()) {
      const hit = deathIn(place, script);
      const failed = await playRound({ ...crew, place, hit, script, tally, limit_ms }).catch(
        (error: unknown) => [String(error)],
      );
      for (const failure of failed)
        tally.failed.push(`${engine} seed ${seed} round ${round} (${hit.name} killed): ${failure}`);
      for (const failure of failed) say(`  ✗ round ${round} (${hit.name} killed): ${failure}`);
      if ((round + 1) % ROUNDS_A_PLACE === 0)
        say(`${engine}: round ${round + 1}, ${tally.figures}; ${tally.failed.length} failed`);
      // Later rounds would report the same failure again.
      if (failed.length > 0) return at + 1;
    }
    return scripts.length;
  } finally {
    for (const onlooker of crew?.onlookers ?? []) onlooker.leave();
    await place.close();
  }
}

const deathIn = (place: Place, script: Script): Hit => ({
  name: targetOf(place, script),
  begin: () => strike(place, script),
  lasts_ms: script.down_ms,
  end: () => restore(place, script),
  answers_properly: place.engine === 'sqlite',
});
