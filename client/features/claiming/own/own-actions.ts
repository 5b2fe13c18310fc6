import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { confirmTime, isNoShow } from '../../../../shared/rules/confirm.ts';
import { type Release, releaseOf } from '../../../../shared/rules/release.ts';
import {
  addDays,
  type ServerSaveClock,
  serverSaveTime,
} from '../../../../shared/rules/server-save.ts';
import { isoWeekday } from '../../../../shared/rules/standing.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import { confirmClaim, partOf, withdrawTransfer } from '../../../api/calls.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { isUpcoming, type OwnClaimRow } from '../../../state/own-claims.ts';

export interface OwnAction {
  id: 'confirm' | 'handover' | 'swap' | 'withdraw' | 'weekly' | 'copy' | 'release';
  claim: OwnClaimRow;
  /** Its sentence's key; `to` is the recipient that the sentence names. */
  label:
    | 'myClaims.confirm.action'
    | `myClaims.release.${'whole' | 'rest'}`
    | `transfer.${'handover' | 'swap'}.open`
    | 'transfer.withdraw'
    | 'weeklyClaim.make'
    | 'board.quickClaim.copy';
  to?: string;
  /** When a confirmation is too late. */
  until?: Date;
  /** The key of the reason why it can't be pressed. */
  blocked: 'errors.network.failed' | null;
  /** Opens its dialog. A copy has none; the others call the server, with the key of the claim's character. */
  dialog?: () => void;
  call?: (access_key: string) => Promise<unknown>;
}

export interface OwnActions {
  /** The one to press now, on a button of its own. */
  primary: OwnAction | null;
  /** The others, the one that gives the hours away last. */
  more: OwnAction[];
  /** The primary one first. */
  all: OwnAction[];
}

export interface OwnFacts {
  settings:
    | Pick<
        Config,
        | 'release_enabled'
        | 'confirm_enabled'
        | 'grace_minutes'
        | 'transfers_enabled'
        | 'standing_enabled'
      >
    | undefined;
  event: ActiveEvent | null;
  /** Spots that take claims. */
  isEnabled: (respawn_id: number) => boolean;
  /** Open ones of this browser's characters. */
  transfers: readonly Transfer[];
  isOffline: boolean;
  now: Date;
  clock: ServerSaveClock;
}

/** The actions offered to a claim's holder, by the server's own rules (R9.20, R9.25, R11.1). */
export function ownActions(claim: OwnClaimRow, facts: OwnFacts): OwnActions {
  const { id, respawn_id, hour_start, hour_end, character_name } = claim;
  const { settings, event, transfers, now, clock } = facts;
  const offer = transfers.find(({ claim_id }) => claim_id === id);
  // A claim that another member asks for is answered in the banner.
  const isWanted = transfers.some(({ for_claim_id }) => for_claim_id === id);
  const actions: OwnAction[] = [];
  const add = (action: Omit<OwnAction, 'claim' | 'blocked'>): void =>
    void actions.push({
      ...action,
      claim,
      blocked: facts.isOffline && action.id !== 'copy' ? 'errors.network.failed' : null,
    });
  const confirm = confirmTimeOf(claim, facts);
  if (confirm?.isOpen)
    add({
      id: 'confirm',
      until: confirm.closes_at,
      label: 'myClaims.confirm.action',
      call: (access_key) => confirmClaim(id, partOf(claim), access_key),
    });
  if (offer)
    add({
      id: 'withdraw',
      label: 'transfer.withdraw',
      to: offer.to,
      call: (access_key) => withdrawTransfer(offer.id, access_key),
    });
  else if (settings?.transfers_enabled === 1 && !isWanted && isUpcoming(claim, event, now, clock))
    for (const way of ['handover', 'swap'] as const)
      add({
        id: way,
        label: `transfer.${way}.open`,
        dialog: () => openOverlay('transfer', { claim, way }),
      });
  const mayRepeat = settings?.standing_enabled && facts.isEnabled(respawn_id);
  if (mayRepeat && isOwnHunt(claim) && isRepeatable(claim, now, clock)) {
    const { date } = claim;
    add({
      id: 'weekly',
      label: 'weeklyClaim.make',
      dialog: () =>
        openOverlay('weeklyClaim', {
          character_name,
          // The claim's own date is taken, by this claim.
          claim: {
            respawn_id,
            hour_start,
            hour_end,
            weekdays: [isoWeekday(date)],
            from: addDays(date, 1),
          },
        }),
    });
  }
  if (isAhead(claim, now, clock)) add({ id: 'copy', label: 'board.quickClaim.copy' });
  const release = releaseNow(claim, facts);
  if (release)
    add({
      id: 'release',
      label: `myClaims.release.${release.stays ? 'rest' : 'whole'}`,
      dialog: () => openOverlay('release', { claim }),
    });
  const calls = actions.filter((action) => action.id !== 'copy');
  const isPrimary = ({ id }: OwnAction): boolean => id === 'release' || calls.length === 1;
  const primary = calls.find((one) => one.id === 'confirm') ?? calls.find(isPrimary) ?? null;
  const more = actions.filter((action) => action !== primary);
  return { primary, more, all: primary ? [primary, ...more] : more };
}

/** Whether a claim's hours are the holder's, and not over. One for a whole event goes on as long as the board has it. */
function isAhead(claim: OwnClaimRow, now: Date, clock: ServerSaveClock): boolean {
  const { date: today, hour } = serverSaveTime(now, clock);
  const { date, hour_end, is_held, is_secondary_claim } = claim;
  const isOver = date !== null && (date < today || (date === today && hour_end <= hour));
  return !isOver && !is_held && !is_secondary_claim;
}

/** Until its end, whether a hunt can become a weekly claim. */
const isRepeatable = (hunt: OwnHunt, now: Date, clock: ServerSaveClock): boolean =>
  isAhead(hunt, now, clock) && !hunt.is_split_claim && hunt.standing_id === null;

/** The hours that a release would free and keep; null if none can be released. */
export function releaseNow(
  claim: OwnClaimRow,
  { settings, now, clock }: Pick<OwnFacts, 'settings' | 'now' | 'clock'>,
): Release | null {
  if (!settings?.release_enabled || !isOwnHunt(claim)) return null;
  const { date: today, hour } = serverSaveTime(now, clock);
  return releaseOf(claim, claim.date, { today, hour });
}

export interface OwnConfirmTime {
  opens_at: Date;
  closes_at: Date;
  isOpen: boolean;
}

/** When a claim can be confirmed; null: it needn't or can't be. */
export function confirmTimeOf(
  claim: OwnClaimRow,
  { settings, now, clock }: Pick<OwnFacts, 'settings' | 'now' | 'clock'>,
): OwnConfirmTime | null {
  if (!settings?.confirm_enabled || !isOwnHunt(claim)) return null;
  const times = confirmTime(claim, settings.grace_minutes, clock);
  const isAsked = claim.to_confirm.some((part) => part === (claim.split_part_number ?? 1));
  return isAsked && !isNoShow(times, now) ? { ...times, isOpen: now >= times.opens_at } : null;
}

/** A claim of one date that is neither a hold nor a secondary claim. */
type OwnHunt = OwnClaimRow & { date: string };
const isOwnHunt = (claim: OwnClaimRow): claim is OwnHunt =>
  claim.date !== null && !claim.is_held && !claim.is_secondary_claim;

export function useOwnFacts(): OwnFacts {
  const settings = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const transfers = useBoard((board) => board.byKind.transfer);
  const respawns = useBoard((board) => board.byKind.respawn);
  const isOffline = useBoard((board) => board.connection === 'offline');
  const event = useActiveEvent();
  const clock = useServerSaveClock();
  useServerSaveTime();
  return {
    settings,
    transfers: [...transfers.values()],
    isEnabled: (id) => respawns.get(id)?.is_enabled === 1,
    isOffline,
    event,
    clock,
    now: serverNow(),
  };
}
