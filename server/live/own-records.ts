import type { OwnData, OwnRecords } from '../../shared/kinds.ts';
import type { OwnClaim } from '../../shared/schemas/claim.ts';
import type { MissedClaim } from '../../shared/schemas/missed-claim.ts';
import type { CharacterStars } from '../../shared/schemas/star.ts';
import type { Reading } from '../db/database.ts';
import type { ChangeBus } from './bus.ts';
import { type FailureLog, type LiveServer, type LiveSocket, logFailure } from './live-server.ts';

type ReadOwn<T> = (ctx: Reading, character_key: string) => Promise<T>;

/** How features read a member's own data, by kind. */
export type OwnSources = { readonly [K in keyof OwnRecords]?: ReadOwn<OwnRecords[K]> } & {
  readonly stars?: ReadOwn<Omit<CharacterStars, 'epoch'>>;
  readonly claims?: ReadOwn<readonly OwnClaim[]>;
  readonly missed?: ReadOwn<readonly MissedClaim[]>;
};

interface Context extends FailureLog, Reading {
  bus: Pick<ChangeBus, 'epoch' | 'listen'>;
  ownRecords: OwnSources;
}

/**
 * Sends members their own records, whole and outside the clock: after each `sync`, and when a change set names their character as an
 * owner. Each read starts after the change that requested it, so the last one sent is right.
 * @returns what to call after a `sync` of a socket
 */
export function sendOwnRecords(ctx: Context, io: LiveServer): (socket: LiveSocket) => void {
  /** By character: whether to read again after the reading under way. */
  const reading = new Map<string, boolean>();
  const roomOf = (character_key: string): string => `member:${character_key}`;

  const send = async (character_key: string): Promise<void> => {
    if (reading.has(character_key)) {
      reading.set(character_key, true);
      return;
    }
    try {
      do {
        reading.set(character_key, false);
        io.to(roomOf(character_key)).emit('own', await readOwn(ctx, character_key));
      } while (reading.get(character_key));
    } catch (error) {
      logFailure(ctx, error, "a member's own records could not be sent");
    } finally {
      reading.delete(character_key);
    }
  };

  ctx.bus.listen(({ changes }) => {
    const owners = new Set(changes.flatMap(({ owners = [] }) => owners));
    for (const key of owners) if (io.sockets.adapter.rooms.has(roomOf(key))) void send(key);
  });
  return ({ data: { caller } }) => {
    if (caller.role === 'member') void send(caller.character_key);
  };
}

/** Data whose feature is left out is empty. */
async function readOwn(ctx: Context, character_key: string): Promise<OwnData> {
  // Taken first: rows of an older history must not count as rows of the new one.
  const { epoch } = ctx.bus;
  const { ownRecords } = ctx;
  return {
    standing_claim: (await ownRecords.standing_claim?.(ctx, character_key)) ?? [],
    transfer: (await ownRecords.transfer?.(ctx, character_key)) ?? [],
    stars: { epoch, clock: 0, ids: [], ...(await ownRecords.stars?.(ctx, character_key)) },
    claims: (await ownRecords.claims?.(ctx, character_key)) ?? [],
    missed: (await ownRecords.missed?.(ctx, character_key)) ?? [],
  };
}
