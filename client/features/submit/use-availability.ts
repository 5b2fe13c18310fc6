import { useShallow } from 'zustand/react/shallow';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { getRespawnClaims } from '../../api/calls.ts';
import { useBoard } from '../../store/board-store.ts';
import { boardClaimsOn, claimsOfDay, type Taken, takenOn } from './availability.ts';
import { useAnswers } from './use-answers.ts';

/** A respawn on a date. */
export interface Place {
  respawn_id: number;
  date: string;
}

export interface Availability {
  claimsOn: (respawn_id: number | null, date: string) => ClaimOnRespawn[];
  /** The hours that others, or the submitter, hold there. */
  takenOn: (respawn_id: number | null, dates: readonly string[]) => Taken[];
  hasFailed: (respawn_id: number | null, dates: readonly string[]) => boolean;
  askAgain: () => void;
}

/** Several changes often come at once. */
const SETTLE_MS = 50;
const NONE: readonly ClaimOnRespawn[] = [];

const question = ({ respawn_id, date }: Place): string => `${respawn_id} ${date}`;
const respawnIn = (asked: string): number => Number(asked.split(' ')[0]);

/** Who holds some places: asked of the server, and again whenever the live board changes there. */
export function useAvailability(places: readonly Place[]): Availability {
  const ids = [...new Set(places.map((place) => place.respawn_id))];
  const onBoard = useBoard(useShallow((board) => ids.map((id) => board.claimsByRespawn.get(id) ?? NONE)));
  const events = useBoard((board) => board.byKind.event);
  const boardOf = (respawn_id: number): readonly ClaimOnRespawn[] => onBoard[ids.indexOf(respawn_id)] ?? NONE;
  const answers = useAnswers({
    questions: places.map(question),
    load: (asked, signal): Promise<ClaimOnRespawn[]> => {
      const [, date = ''] = asked.split(' ');
      return getRespawnClaims(respawnIn(asked), date, signal);
    },
    pauseMs: SETTLE_MS,
    again: onBoard,
    versionOf: (asked) => boardOf(respawnIn(asked)),
  });
  const claimsOn = (respawn_id: number | null, date: string): ClaimOnRespawn[] => {
    if (respawn_id === null) return [];
    const answer = answers.of(question({ respawn_id, date }));
    return claimsOfDay(answer.status === 'ready' ? answer.value : [], boardClaimsOn(date, boardOf(respawn_id), events));
  };
  return {
    claimsOn,
    takenOn: (respawn_id, dates) => dates.flatMap((date) => takenOn(date, claimsOn(respawn_id, date))),
    hasFailed: (respawn_id, dates) =>
      respawn_id !== null && dates.some((date) => answers.of(question({ respawn_id, date })).status === 'failed'),
    askAgain: answers.askAgain,
  };
}
