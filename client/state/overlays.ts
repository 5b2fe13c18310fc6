import type { ReactNode, RefObject } from 'react';
import { create } from 'zustand';
import type { HourRange } from '../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { StandingClaim } from '../../shared/schemas/standing-claim.ts';
import type { ClaimDraft } from './claim-draft.ts';

/** A question before something is lost. */
export interface Confirmation {
  title: string;
  /** Names the consequence, with counts where there are any. */
  text: ReactNode;
  /** A verb with its object: "Delete event". */
  confirmLabel: string;
  /** The dialog stays open and busy until this settles, and closes when it succeeds. */
  onConfirm: () => void | Promise<void>;
  /** The sentence for what `onConfirm` threw, shown in the dialog. Without it the dialog closes and `onConfirm` reports its own failures. */
  errorText?: (error: unknown) => string;
  /** The title of a failure; `errorText` is then only its reason. */
  failed?: string;
  /** Not destructive: an accent button instead of a red one. */
  harmless?: boolean;
  /** Takes the focus after a confirmation that removes the element that had it, such as a deleted row's button. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
}

/** Hours that another member holds, to join the waitlist for. */
export interface WaitlistRequest extends HourRange {
  respawn_id: number;
  date: string;
  /** The pressed element: the focus returns to it. */
  anchor: HTMLElement;
}

export interface ClaimActionsRequest {
  claim: ClaimOnRespawn;
  anchor: HTMLElement;
  /** Its dialog; without it a menu opens. */
  action?: 'edit' | 'delete';
  /** The hours that an end of its bar was dragged to. */
  times?: HourRange;
  /** The server-save date on which the admin may also join the waitlist for its hours. */
  waitlist_date?: string;
}

/** The props of each kind of overlay. `app.tsx` names the component of each kind. */
export interface OverlayProps {
  calendar: object;
  claimInPlace: { draft: ClaimDraft };
  claimActions: { request: ClaimActionsRequest };
  changePassword: object;
  connectDiscord: object;
  confirmation: { confirmation: Confirmation };
  help: object;
  joinWaitlist: { request: WaitlistRequest };
  leaveWaitlist: { wait_id: number };
  palette: object;
  release: { claim: ClaimOnRespawn };
  /** A weekly claim of this browser's character: a new one, perhaps as a claim is, or a stored one to edit. */
  weeklyClaim: {
    character_name: string;
    weeklyClaim?: StandingClaim;
    /** `from` may be empty: today. */
    claim?: {
      respawn_id: number;
      weekdays: number[];
      hour_start: number;
      hour_end: number;
      from: string;
    };
  };
  /** @param access_key of its character; null: an admin ends it. @param showEnded shows the message afterwards */
  endWeeklyClaim: {
    weeklyClaim: StandingClaim;
    access_key: string | null;
    showEnded?: (text: string) => void;
  };
  /** @param which `more`: the primary action has a button of its own */
  ownClaim: { claim: ClaimOnRespawn; anchor: HTMLElement; which: 'all' | 'more' };
  transfer: { claim: ClaimOnRespawn; way: 'handover' | 'swap' };
}
export type OverlayKind = keyof OverlayProps;

interface OverlayState {
  /** At most one of each kind; opening another replaces it. The id tells the two apart. */
  open: { readonly [K in OverlayKind]?: { id: number; props: OverlayProps[K] } | undefined };
}

export const useOverlays = create<OverlayState>(() => ({ open: {} }));

/**
 * Each is placed at the pressed element. Only the last press counts: a panel whose code arrives late would otherwise take the focus from
 * the next one, and so close it.
 */
const AT_PRESSED_ELEMENT: ReadonlySet<string> = new Set<OverlayKind>([
  'claimActions',
  'joinWaitlist',
  'ownClaim',
]);

let lastId = 0;

export function openOverlay<K extends OverlayKind>(kind: K, props: OverlayProps[K]): void {
  lastId += 1;
  if (AT_PRESSED_ELEMENT.has(kind)) closeOverlays((other) => AT_PRESSED_ELEMENT.has(other));
  useOverlays.setState(({ open }) => ({ open: { ...open, [kind]: { id: lastId, props } } }));
}

/** Gives an open overlay new props, without mounting it again. */
export function updateOverlay<K extends OverlayKind>(kind: K, props: OverlayProps[K]): void {
  const { open } = useOverlays.getState();
  const overlay = open[kind];
  if (overlay) useOverlays.setState({ open: { ...open, [kind]: { id: overlay.id, props } } });
}

/** @param id closes only this one, not another that was opened meanwhile */
export function closeOverlay(kind: OverlayKind, id?: number): void {
  const { open } = useOverlays.getState();
  if (open[kind] && (id === undefined || open[kind].id === id))
    useOverlays.setState({ open: { ...open, [kind]: undefined } });
}

export const isOverlayOpen = (kind: OverlayKind): boolean =>
  useOverlays.getState().open[kind] !== undefined;

/** They stay open when the page changes: the calendar shows an address once, the palette leads to pages. */
const KEPT_ACROSS_PAGES: ReadonlySet<string> = new Set<OverlayKind>(['calendar', 'palette']);
/** These act as the caller who opened them. The others follow the session themselves. */
const BOUND_TO_CALLER: ReadonlySet<string> = new Set<OverlayKind>([
  'changePassword',
  'claimActions',
  'confirmation',
  'endWeeklyClaim',
  'weeklyClaim',
]);

const closeOverlays = (shouldClose: (kind: string) => boolean): void =>
  useOverlays.setState(({ open }) => ({
    open: Object.fromEntries(Object.entries(open).filter(([kind]) => !shouldClose(kind))),
  }));

export const closePageOverlays = (): void => closeOverlays((kind) => !KEPT_ACROSS_PAGES.has(kind));
export const closeCallerOverlays = (): void => closeOverlays((kind) => BOUND_TO_CALLER.has(kind));

/** Asks before a loss that can't be undone. */
export const confirm = (confirmation: Confirmation): void =>
  openOverlay('confirmation', { confirmation });
