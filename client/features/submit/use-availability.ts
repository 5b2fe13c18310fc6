import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { getRespawnClaims } from '../../api/calls.ts';
import { useBoard } from '../../store/board-store.ts';
import { boardClaimsOn, claimsOfDay } from './availability.ts';
import { type Loaded, useByDate } from './use-by-date.ts';

export interface Availability {
  claimsOn: (date: string) => ClaimOnRespawn[];
  statusOf: (date: string) => Loaded<unknown>['status'];
  askAgain: () => void;
}

/** Several changes often come at once. */
const SETTLE_MS = 50;
const NONE: readonly ClaimOnRespawn[] = [];

/** Who holds a respawn on some dates: asked of the server, and again whenever the live board changes there. */
export function useAvailability(respawn_id: number | null, dates: readonly string[]): Availability {
  const onBoard = useBoard((board) => (respawn_id === null ? NONE : (board.claimsByRespawn.get(respawn_id) ?? NONE)));
  const events = useBoard((board) => board.byKind.event);
  const asked = useByDate({
    subject: respawn_id === null ? null : String(respawn_id),
    dates,
    load: (date, signal): Promise<ClaimOnRespawn[]> =>
      respawn_id === null ? Promise.resolve([]) : getRespawnClaims(respawn_id, date, signal),
    pauseMs: SETTLE_MS,
    again: onBoard,
  });
  return {
    claimsOn: (date) => {
      const answer = asked.of(date);
      return claimsOfDay(answer.status === 'ready' ? answer.value : [], boardClaimsOn(date, onBoard, events));
    },
    statusOf: (date) => asked.of(date).status,
    askAgain: asked.askAgain,
  };
}
