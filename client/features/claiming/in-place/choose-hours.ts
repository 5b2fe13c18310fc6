import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { create } from 'zustand';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import {
  firstFit,
  lengthOf,
  nearestFit,
  type StretchLimits,
} from '../../../../shared/rules/stretch.ts';
import { claimSearch, keepRequest } from '../../../lib/claim-request.ts';
import { claimIn, shownSpotIn, showSpot, useShownSpot } from '../../../state/board-place.ts';
import { useBoard } from '../../../state/board-store.ts';
import {
  type Claimant,
  type ClaimDraft,
  claimantOf,
  type DraftStep,
  draftAfter,
  type Spot,
  UNNAMED,
} from '../../../state/claim-draft.ts';
import { claimTimeNow } from '../../../state/claim-time.ts';
import { closeOverlay, openOverlay, updateOverlay, useOverlays } from '../../../state/overlays.ts';
import { useClaimPage } from '../../../state/permissions.ts';
import { useSession } from '../../../state/session-store.ts';
import { usualHours } from '../../../state/usual-hours.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import { claimantFacts, limitsOf, refusalOfDraft, takenOnBoard } from '../draft/check.ts';
import { boxOf } from './hours-box.ts';

/** The draft of the whole board, in the props of its overlay: only that overlay renders with it, no card and no row. */
export const draftNow = (): ClaimDraft | null =>
  useOverlays.getState().open.claimInPlace?.props.draft ?? null;

/** Changes the draft. Returns false if that did nothing, as after it was discarded. */
export function stepDraft(step: DraftStep): boolean {
  const before = draftNow();
  const draft = draftAfter(before, step);
  if (!draft || draft === before) return false;
  // The tip of one hour would cover the label of all chosen hours.
  if (step.type === 'press') hideTip();
  const isNew = step.type === 'press' && before?.phase !== 'drawing';
  (isNew ? openOverlay : updateOverlay)('claimInPlace', { draft });
  return true;
}

export const discardDraft = (): void => closeOverlay('claimInPlace');

/** The claimant an admin named last: the next claim is often for the same character. */
let lastNamed = UNNAMED;
export function rememberNamed(claimant: Claimant): void {
  lastNamed = claimant;
}

/** Those who can be claimed for: a member's characters, the selected one first, or the character an admin names. None for a visitor. */
export function claimantsNow(): Claimant[] {
  const { current, profiles, admin } = useSession.getState();
  if (current)
    return [current, ...profiles.filter((one) => one.accessKey !== current.accessKey)].map(
      claimantOf,
    );
  return admin ? [lastNamed] : [];
}

/** A visitor chooses within the default voucher, and signs in before the form. */
const VISITOR: Claimant = { ...UNNAMED, access_key: '' };

/** Chooses hours within limits. `usual`: those of the claimant, which may be taken. */
export type Choose = (limits: StretchLimits, usual: HourRange | null) => HourRange | null;

/** The usual hours or the nearest to them, for a request without hours. */
export const usualFit: Choose = (limits, usual) =>
  usual ? nearestFit(usual, limits) : firstFit(limits);

export interface Chosen {
  claimant: Claimant;
  /** null: refused, or no hours are free. */
  range: HourRange | null;
  isRefused: boolean;
  /** The hours chosen by hand, which another date may have; null: the usual ones of each date. */
  wanted: HourRange | null;
}

/** Chooses hours of a spot for the first character who may claim them; if none may, for the first one, with the refusal. */
export function chooseFor(spot: Spot, choose: Choose): Chosen {
  const board = useBoard.getState();
  const claimants = claimantsNow();
  let refused: Chosen | null = null;
  for (const claimant of claimants.length > 0 ? claimants : [VISITOR]) {
    const time = claimTimeNow(claimant.access_key === null);
    const facts = claimantFacts(board, spot.date, claimant, time);
    const usual = usualHours(board, claimant, { ...facts, date: spot.date, clock: time.clock });
    const range = choose(limitsOf(facts, takenOnBoard(facts, spot.respawn_id)), usual);
    if (!range) continue;
    const wanted = choose === usualFit ? null : range;
    const isFree = claimants.length === 0 || !refusalOfDraft(facts, spot, range);
    if (isFree) return { claimant, range, isRefused: false, wanted };
    refused ??= { claimant, range: null, isRefused: true, wanted };
  }
  return refused ?? { claimant: VISITOR, range: null, isRefused: false, wanted: null };
}

const CLAIMS_AT_ONCE = 'data-claims-at-once';
const hoursIn = ({ hour_start, hour_end }: HourRange): string => `${hour_start} ${hour_end}`;

/** Of a link that names the hours it claims, where the claim can be undone: a press submits exactly these. */
export const claimsAtOnce = (hours: HourRange): object => ({ [CLAIMS_AT_ONCE]: hoursIn(hours) });

const LOGIN = '/login?type=access-key';

/** Continues with chosen hours: opens the panel, or passes them to another page. Returns false without hours and refusal. */
export type TakeHours = (spot: Spot, chosen: Chosen, anchor: HTMLElement) => boolean;

/** Opens the panel for chosen hours; a visitor signs in first, and finds them in the form. */
export function useOpenDraft(): TakeHours {
  const navigate = useNavigate();
  return (spot, { claimant, range, isRefused, wanted }, anchor) => {
    if (!range && !isRefused) return false;
    if (claimantsNow().length > 0) {
      const isSentAtOnce =
        range !== null &&
        anchor.getAttribute(CLAIMS_AT_ONCE) === hoursIn(range) &&
        // The panel names any other character before it claims for them.
        claimant.access_key === useSession.getState().current?.accessKey;
      // The second press of a double click.
      if (isSentAtOnce && draftNow()?.submission.status === 'busy') return true;
      const phase = 'asking';
      stepDraft({ type: 'press', ...spot, claimant, range, wanted, phase, anchor, isSentAtOnce });
      return true;
    }
    const hours = range ? { hour: range.hour_start, hours: lengthOf(range) } : {};
    discardDraft();
    void navigate(LOGIN, { state: keepRequest(claimSearch({ ...spot, ...hours })) });
    return true;
  };
}

/** The spot that was chosen by its name to be claimed; null: none. It is in no address, so that a reload does not repeat it. */
export const useRequestedSpot = create<{ respawn_id: number | null }>(() => ({ respawn_id: null }));

export const requestClaim = (respawn_id: number): void => useRequestedSpot.setState({ respawn_id });
export const dropRequest = (): void => useRequestedSpot.setState({ respawn_id: null });

/** A long board is drawn in batches; give up after this many milliseconds. */
const DRAWN_WITHIN_MS = 5000;

interface View {
  /** The server-save date in view, and the one to claim for. */
  date: string;
  wanted: string;
  /** No claims can be made in this view. */
  isOff: boolean;
  ask: TakeHours;
}

/** Claims in place on the requested spot once the board shows its date; if no hours are free, the form opens instead. */
export function useClaimOnRequest({ date, wanted, isOff, ask }: View): void {
  const requested = useRequestedSpot((state) => state.respawn_id);
  const navigate = useNavigate();
  const page = useClaimPage();
  const isShown = date === wanted;
  const begin = useEffectEvent((respawn_id: number) => {
    dropRequest();
    const spot = { respawn_id, date };
    const openForm = (): void => void navigate(page + claimSearch({ respawn_id }));
    const { range, isRefused } = chooseFor(spot, usualFit);
    if (isOff || (!range && !isRefused)) {
      openForm();
      return;
    }
    showSpot(spot);
    whenDrawn(respawn_id, (box) => {
      const hour = range && box?.querySelector<HTMLElement>(`a[data-hour="${range.hour_start}"]`);
      if (!box || !ask(spot, chooseFor(spot, usualFit), hour ?? box)) openForm();
    });
  });
  useEffect(() => {
    if (requested !== null && isShown) begin(requested);
  }, [requested, isShown]);
}

/** Calls back with the box of a spot once it is in the document, a frame later at the earliest; with null after a while. */
function whenDrawn(respawn_id: number, callback: (box: HTMLElement | null) => void): void {
  const page = window.location.pathname;
  const until = Date.now() + DRAWN_WITHIN_MS;
  const look = (): void => {
    if (window.location.pathname !== page) return;
    const box = boxOf(respawn_id);
    if (box || Date.now() > until) callback(box);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Shows the spot of a link to the board, or of the claim in its address, and clears filters that hide it.
 * @param date the server-save date in view
 * @param ids the spots that match the filters
 */
export function useShowLinkedSpot(
  date: string,
  ids: readonly number[],
  clearFilters: () => void,
): void {
  const { state, key, search } = useLocation();
  const linked = shownSpotIn(state);
  const show = useEffectEvent((respawn_id: number) => showSpot({ respawn_id, date }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another navigation to the same spot shows it again
  useEffect(() => {
    if (linked !== null) show(linked);
  }, [linked, key]);
  // Calendars and notifications know a claim, not its spot.
  const claim = claimIn(search);
  const itsSpot = useBoard(({ byKind }) =>
    claim === null ? undefined : byKind.claim.get(claim)?.respawn_id,
  );
  useEffect(() => {
    if (claim !== null && itsSpot !== undefined) show(itsSpot);
  }, [claim, itsSpot]);
  const spot = useShownSpot((state) => state.spot);
  const closeIfCovered = useEffectEvent((respawn_id: number) => {
    if (!ids.includes(respawn_id)) clearFilters();
  });
  useEffect(() => {
    if (spot) closeIfCovered(spot.respawn_id);
  }, [spot]);
}
