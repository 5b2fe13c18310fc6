import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { StretchLimits } from '../../../../shared/rules/stretch.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { Profile } from '../../../state/saved-sessions.ts';
import { useSession } from '../../../state/session-store.ts';
import type { Claimant } from '../draft/submission-body.ts';
import { isBusy, limitsOf, refusalFor, type Spot, type Standing, standingNow, takenOnBoard } from './standing.ts';

/** Section 9 of the specification: the member type to begin with. */
const NOBODY_YET: Claimant = { character_name: '', member_type: 'member', access_key: null };

/** Whom an admin claimed for last, on this page: the next claim is often theirs, too. */
let lastNamed = NOBODY_YET;
export function rememberNamed(claimant: Claimant): void {
  lastNamed = claimant;
}

export const claimantOf = ({ characterName, memberType, accessKey }: Profile): Claimant => ({
  character_name: characterName,
  member_type: memberType,
  access_key: accessKey,
});

/** Who may be claimed for: the member's characters, the selected one first, else whom an admin names. Nobody for a visitor. */
export function claimantsNow(): Claimant[] {
  const { current, profiles, admin } = useSession.getState();
  if (current) return [current, ...profiles.filter((one) => one.accessKey !== current.accessKey)].map(claimantOf);
  return admin ? [lastNamed] : [];
}

/** A visitor paints what the usual voucher allows, and is led to the login with it. */
const VISITOR: Claimant = { ...NOBODY_YET, access_key: '' };

/** Chooses hours within what somebody can have. */
export type Choose = (limits: StretchLimits) => HourRange | null;

export interface Chosen {
  claimant: Claimant;
  /** null: refused, or there is nothing to be had. */
  range: HourRange | null;
  isRefused: boolean;
}

/** The first character who can have some of a spot's hours; where none can, the first of all, who is told why. */
export function chooseFor(spot: Spot, choose: Choose): Chosen {
  const board = useBoard.getState();
  const claimants = claimantsNow();
  let refused: Chosen | null = null;
  for (const claimant of claimants.length > 0 ? claimants : [VISITOR]) {
    const standing = standingNow(board, spot.date, claimant);
    const range = choose(limitsOf(standing, takenOnBoard(standing, spot.respawn_id)));
    if (!range) continue;
    if (claimants.length === 0 || !isRefused(standing, spot, range)) return { claimant, range, isRefused: false };
    refused ??= { claimant, range: null, isRefused: true };
  }
  return refused ?? { claimant: VISITOR, range: null, isRefused: false };
}

/** An admin's name may still be missing: it is asked for. */
const isRefused = (standing: Standing, spot: Spot, range: HourRange): boolean =>
  isBusy(standing) || refusalFor(standing, spot, range) !== null;
