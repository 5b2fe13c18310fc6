import type { Tried } from '../proof.ts';
import type { Fault, FaultGroup } from './faults.ts';
import { openPlace, type PlaceOptions } from './place.ts';
import { aCrew, type Crew, playRound, Tally } from './round.ts';
import type { Storm } from './rounds.ts';
import { scriptOf } from './script.ts';

/** Injects faults during writes, round by round, each on a new database. */
export async function faultRounds(
  group: FaultGroup,
  { seed, rounds, commands, say, limit_ms }: Omit<Storm, 'engine'>,
): Promise<Tried[]> {
  const tallies = new Map(group.faults.map((fault) => [fault, new Tally()]));
  for (let round = 0; round < rounds; round += 1) {
    const ground = await group
      .prepare()
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (typeof ground === 'string') {
      for (const { name } of group.faults) say(`${name}: not tried on this machine (${ground})`);
      return group.faults.map(({ name }) => ({
        what: `${name}: not tried on this machine (${ground})`,
        tried: 0,
        failed: [],
      }));
    }
    const tell = (name: string, tally: Tally, failure: string): void => {
      tally.failed.push(`${name} seed ${seed} round ${round}: ${failure}`);
      say(`  ✗ ${name} round ${round}: ${failure}`);
    };
    try {
      await playAll(group, ground.options, {
        seed: seed + round,
        commands,
        tallies,
        limit_ms,
        tell,
      });
    } finally {
      await ground.remove();
    }
  }
  return [...tallies].map(([{ name }, { rounds, failed, figures }]) => {
    say(`${name}: ${rounds} rounds, ${figures}; ${failed.length} failed`);
    return { what: `${name} (${figures})`, tried: rounds, failed };
  });
}

interface Within {
  seed: number;
  commands: number;
  tallies: ReadonlyMap<Fault, Tally>;
  limit_ms: number;
  tell: (name: string, tally: Tally, failure: string) => void;
}

/** Injects each fault in order; stops after one that breaks something, since the others would report the same. */
async function playAll(
  { engine }: FaultGroup,
  options: PlaceOptions,
  { seed, commands, tallies, limit_ms, tell }: Within,
): Promise<void> {
  const place = await openPlace(engine, { ...options, servers: engine === 'postgres' ? 2 : 1 });
  let crew: Crew | null = null;
  let end = async (): Promise<void> => {};
  try {
    crew = await aCrew(place);
    for (const [at, [fault, tally]] of [...tallies].entries()) {
      const begin = async (): Promise<void> => {
        const putRight = await fault.begin(place);
        end = () => {
          end = async () => {};
          return putRight();
        };
      };
      const hit = { ...fault, begin, end: () => end(), answers_properly: false };
      const round = {
        ...crew,
        place,
        hit,
        script: scriptOf(seed + 1_000 * at, commands),
        tally,
        limit_ms,
      };
      await fault.prepare?.(place);
      const failed = await playRound(round).catch((error: unknown) => [String(error)]);
      if (!place.urls.every((_, server) => place.isRunning(server))) failed.push('a server ended');
      for (const failure of failed) tell(fault.name, tally, failure);
      if (failed.length > 0) return;
    }
  } finally {
    // Nothing could be closed while it lasts.
    await end();
    for (const onlooker of crew?.onlookers ?? []) onlooker.leave();
    await place.close();
  }
}
