import { isDeepStrictEqual } from 'node:util';
import {
  ALL_KINDS,
  KINDS_SEEN,
  type Kind,
  OWN_KINDS,
  type RecordByKind,
  type Room,
  recordId,
} from '../../../../shared/kinds.ts';
import { type Board, boardFromSnapshot } from '../../../../shared/live.ts';
import { boardOf, type Model } from './model.ts';
import type { SimServer } from './sim-server.ts';

/** The board as read now, without any cache. */
export async function freshBoard({ ctx }: SimServer, room: Room): Promise<Board> {
  const { clock, records } = await ctx.readModel.readFresh(room);
  return boardFromSnapshot(clock, records);
}

/** @returns how a watcher's board differs from the server's; null: not at all */
export function boardDifference(held: Board, fresh: Board, room: Room): string | null {
  if (held.clock !== fresh.clock) return `clock ${held.clock} instead of ${fresh.clock}`;
  const kinds: readonly Kind[] = room === 'admins' ? ALL_KINDS : KINDS_SEEN.members;
  for (const kind of ALL_KINDS) {
    // Of these, members are sent their own records.
    if (OWN_KINDS.some((own) => own === kind)) continue;
    if (!kinds.includes(kind) && held.byKind[kind].size > 0) return `a member holds ${kind}`;
  }
  for (const kind of kinds) {
    const has = recordsOf(held, kind);
    const wanted = recordsOf(fresh, kind);
    for (const id of new Set([...has.keys(), ...wanted.keys()])) {
      // The log keeps growing on a screen; a snapshot starts with the latest hundred.
      if (kind === 'activity' && !wanted.has(id)) continue;
      if (isDeepStrictEqual(has.get(id), wanted.get(id))) continue;
      return `${kind} ${id} is ${JSON.stringify(has.get(id))} instead of ${JSON.stringify(wanted.get(id))}`;
    }
  }
  return null;
}

function recordsOf(board: Board, kind: Kind): Map<string, RecordByKind[Kind]> {
  const records = new Map<string, RecordByKind[Kind]>();
  for (const record of board.byKind[kind].values())
    records.set(String(recordId(kind, record)), record);
  return records;
}

/** @returns how the board differs from the model's; null: not at all */
export function shownOtherwise(fresh: Board, model: Model, today: string): string | null {
  const has = [...fresh.byKind.claim.values()].map(({ id }) => id).sort((a, b) => a - b);
  const wanted = boardOf(model, today).sort((a, b) => a - b);
  if (!isDeepStrictEqual(has, wanted))
    return `the board of ${today} shows claims [${has}] instead of [${wanted}]`;
  const inLine = [...fresh.byKind.wait.values()].map(({ id }) => id).sort((a, b) => a - b);
  const waiting = [...model.waits.keys()];
  return isDeepStrictEqual(inLine, waiting)
    ? null
    : `the board shows waits [${inLine}] instead of [${waiting}]`;
}
