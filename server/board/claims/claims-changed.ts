import { sql } from 'kysely';
import { isOnBoard, occupiesBoard } from '../../../shared/rules/board.ts';
import { claimOnRespawns, respawnsOf } from '../../../shared/rules/claim-parts.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { TransferWay } from '../../../shared/schemas/domain-events.ts';
import type { EndingReason } from '../../../shared/schemas/ending.ts';
import {
  type Actor,
  adminAmong,
  type Entry,
  type KeptUndo,
  logActivities,
  nameOf,
} from '../../auth/activity-log.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { among, inBatches, type Tx } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import {
  type ChangeRecorder,
  MANY_CHANGES,
  type Unit,
  type Writing,
} from '../../db/unit-of-work.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { endTransfersOfClaims } from '../end-transfers.ts';
import { freedHours } from '../freed-hours.ts';
import { moveEventCounts, putEvent } from '../records/guild.ts';
import {
  findRespawnLabels,
  moveRespawnCounts,
  putRespawns,
  type RespawnLabel,
  type RespawnLabels,
} from '../records/respawns.ts';
import { type GuildNow, occupancyOf, readGuildNow } from './board-view.ts';
import {
  type BulkWork,
  emitBulkSummary,
  emitClaimEvents,
  type MemberEventType,
} from './claim-events.ts';
import {
  type ClaimChange,
  claimRow,
  type DatedClaim,
  hoursLost,
  isMoved,
  isTransferred,
} from './claim-records.ts';

export interface ClaimWrite<C extends Writing = Writing> extends Unit<C> {
  actor: Actor;
  guild: GuildNow;
  /** The spots looked up so far, so that an operation and its effects read each once. */
  labels: Map<number, RespawnLabel | undefined>;
}

export async function beginClaimWrite<C extends Writing>(
  unit: Unit<C>,
  actor: Actor,
): Promise<ClaimWrite<C>> {
  return { ...unit, actor, guild: await readGuildNow(unit.ctx, unit.tx), labels: new Map() };
}

type ClaimAction =
  | 'claim_created'
  | 'claim_updated'
  | 'claim_deleted'
  | 'claim_released'
  | 'claim_confirmed'
  | 'claim_no_show';

/** An entry that changes nothing about a claim's place, time and holder. */
export const CONFIRMATION: ClaimAction = 'claim_confirmed';

/** The effects of a cause that the changed claims alone don't show. Each new cause has to decide about them. */
interface Effects {
  /** Why the hours that claims lost ended, for the claim history; null: nothing ended. */
  reason: EndingReason | null;
  /** The activity entry of each claim; null: the operation writes one entry of its own. */
  entry: ClaimAction | null;
  /** Whether deleted claims can be restored from the activity log. */
  undo: boolean;
  /** The event that notifies claimants. With `bulk` it replaces the claims' own domain events. */
  member_event?: MemberEventType;
  /** Doesn't end the transfers of the claims. */
  keepsTransfers?: true;
  /** Archived claims still count for their spots, and are not announced as deleted. */
  is_archived?: true;
  /** Shows and logs each claim. By default more than `MANY_CHANGES` are shown by a reset, and not logged one by one. */
  names_all?: true;
}

const EFFECTS = {
  submitted: { reason: null, entry: 'claim_created', undo: false, names_all: true },
  copied: { reason: null, entry: 'claim_created', undo: false, member_event: 'claim.added' },
  restored: { reason: null, entry: null, undo: false, member_event: 'claim.restored' },
  edited: { reason: 'edited', entry: 'claim_updated', undo: false },
  edit_undone: { reason: null, entry: null, undo: false },
  released: { reason: 'released', entry: 'claim_released', undo: false },
  confirmed: { reason: null, entry: 'claim_confirmed', undo: false },
  handed_over: { reason: 'handed_over', entry: 'claim_updated', undo: false },
  swapped: { reason: 'swapped', entry: 'claim_updated', undo: false },
  /** An admin moved it to another character. */
  reassigned: { reason: 'handed_over', entry: 'claim_updated', undo: false },
  /** An admin corrected the spelling of its character's name. */
  respelled: { reason: null, entry: 'claim_updated', undo: false, keepsTransfers: true },
  moved_back: { reason: null, entry: null, undo: false },
  /** Claims that need no confirmation any more. */
  excused: { reason: null, entry: null, undo: false, keepsTransfers: true },
  no_show: { reason: 'no_show', entry: 'claim_no_show', undo: false },
  deleted: { reason: 'admin', entry: 'claim_deleted', undo: true },
  deleted_in_bulk: { reason: 'admin', entry: null, undo: true, member_event: 'claim.removed' },
  cleared: { reason: 'cleared', entry: 'claim_deleted', undo: true, member_event: 'claim.removed' },
  event_deleted: { reason: 'event', entry: null, undo: true, member_event: 'claim.removed' },
  respawn_deleted: { reason: 'respawn', entry: null, undo: true, member_event: 'claim.removed' },
  archived: {
    reason: null,
    entry: null,
    undo: false,
    is_archived: true,
    names_all: true,
    keepsTransfers: true,
  },
  // The waitlist logs these itself, with the waitlist entry of each hold.
  hold_offered: { reason: null, entry: null, undo: false },
  hold_accepted: { reason: null, entry: null, undo: false },
  hold_declined: { reason: 'declined', entry: null, undo: false },
  hold_lapsed: { reason: 'lapsed', entry: null, undo: false },
  /** An event was activated and took them: they keep their hours and their holders. */
  taken_into_event: { reason: null, entry: null, undo: false, keepsTransfers: true },
  /** Its waitlist entry is void, such as with its spot, its event or its character's key. */
  hold_voided: { reason: 'void', entry: null, undo: false },
  /** An undo restored the hours. */
  hold_withdrawn: { reason: 'withdrawn', entry: null, undo: false, member_event: 'hold.withdrawn' },
  /** A hold lasts until another time, or is for another member type. */
  hold_changed: { reason: null, entry: null, undo: false },
} as const satisfies Record<string, Effects>;

type BulkCause =
  | 'copied'
  | 'restored'
  | 'deleted_in_bulk'
  | 'cleared'
  | 'event_deleted'
  | 'respawn_deleted';

/** Why claims change. */
export type Why =
  | {
      cause: Exclude<
        keyof typeof EFFECTS,
        | BulkCause
        | 'deleted'
        | 'edited'
        | 'edit_undone'
        | 'reassigned'
        | 'moved_back'
        | 'hold_offered'
      >;
    }
  | { cause: 'deleted' | 'edited' | 'reassigned'; undo: KeptUndo | null }
  /** @property last_ending the newest entry of the claim history before the change that is undone */
  | { cause: 'moved_back' | 'edit_undone'; last_ending: number }
  /** @property bulk the summary for channels; null if it was only one claim, which is announced like any other */
  | { cause: BulkCause; bulk: BulkWork | null }
  /** @property wait_ids the waitlist entry of each hold, by the id of its claim */
  | { cause: 'hold_offered'; wait_ids: ReadonlyMap<number, number> };

export const keepsUndo = (cause: Why['cause']): boolean => EFFECTS[cause].undo;

/**
 * Everything that follows from a change of claims whose rows are written: live changes, stored counts, freed hours, deadlines,
 * claim history, domain events and activity entries. No operation does any of these by hand.
 */
export const claimsChanged = (
  unit: ClaimWrite,
  claims: readonly ClaimChange[],
  why: Why,
): Promise<number> => manyClaimsChanged(unit, [claims], why);

/** `claimsChanged` for any number of claims, written batch by batch as this iterates. @returns how many there were */
export async function manyClaimsChanged(
  unit: ClaimWrite,
  batches: Iterable<readonly ClaimChange[]> | AsyncIterable<readonly ClaimChange[]>,
  why: Why,
): Promise<number> {
  const effects: Effects = EFFECTS[why.cause];
  const counts = { respawns: new Map<number, number>(), events: new Map<number, number>() };
  const named: ClaimChange[] = [];
  let count = 0;
  let created = 0;
  let deleted = 0;
  for await (const claims of batches) {
    if (claims.length === 0) continue;
    count += claims.length;
    if (effects.names_all || count <= MANY_CHANGES) named.push(...claims);
    for (const change of claims) {
      if (!change.before && !change.after?.claim.is_held) created += 1;
      if (!change.after && !change.before?.claim.is_held) deleted += 1;
      if (!effects.is_archived) addToCounts(counts, change);
      noteFreedHours(unit.changes, change);
      if (hasNewDeadline(change)) deadlineMoved(unit);
    }
    if (!effects.keepsTransfers)
      await endTransfersOfClaims(
        unit,
        claims.flatMap(({ before }) => before?.claim.id ?? []),
      );
    if (effects.reason)
      await recordEnds(unit, claims, {
        reason: effects.reason,
        labels: await labelsOf(unit, claims),
      });
    const ids = claims.flatMap(({ after }) => after?.claim.id ?? []);
    if (why.cause === 'restored') await forgetEnds(unit.tx, ids);
    if ('last_ending' in why) await forgetEndsSince(unit.tx, ids, why.last_ending);
    if (!effects.is_archived) await emitEvents(unit, claims, why);
  }
  if (count === 0) return 0;
  if ('bulk' in why && why.bulk)
    emitBulkSummary(unit, { ...why.bulk, by: adminAmong(unit.actor), created, deleted });
  const respawns = await moveRespawnCounts(unit.tx, counts.respawns);
  const events = await moveEventCounts(unit.tx, counts.events);
  if (count > MANY_CHANGES && !effects.names_all) {
    unit.changes.reset();
    return count;
  }
  for (const change of named) showChange(unit, change);
  const owners = [...offBoardOwners(named, unit.guild), ...missingOwners(named, effects)];
  if (owners.length > 0) unit.changes.sendOwn(owners);
  putRespawns(unit.changes, respawns);
  for (const event of events) putEvent(unit.changes, event);
  await logClaims(unit, named, why);
  return count;
}

const labelsOf = (unit: ClaimWrite, claims: readonly ClaimChange[]): Promise<RespawnLabels> =>
  findUnknownLabels(
    unit,
    claims.flatMap(({ before, after }) =>
      [before, after].flatMap((dated) => (dated ? respawnsOf(dated.claim) : [])),
    ),
  );

async function findUnknownLabels(
  { tx, labels }: ClaimWrite,
  ids: readonly number[],
): Promise<RespawnLabels> {
  const unknown = new Set(ids.filter((id) => !labels.has(id)));
  if (unknown.size === 0) return labels;
  const found = await findRespawnLabels(tx, unknown);
  for (const id of unknown) labels.set(id, found.get(id));
  return labels;
}

export async function answeredRows(
  unit: ClaimWrite,
  claims: readonly Claim[],
): Promise<ClaimRow[]> {
  const labels = await findUnknownLabels(unit, claims.flatMap(respawnsOf));
  return claims.flatMap(claimOnRespawns).map((row) => claimRow(row, labels.get(row.respawn_id)));
}

interface Counts {
  respawns: Map<number, number>;
  events: Map<number, number>;
}

/** A split claim counts once on each of its spots, and once in its event. */
function addToCounts({ respawns, events }: Counts, { before, after }: ClaimChange): void {
  const isOtherDate = before?.last_date !== after?.last_date;
  const add = (counts: Map<number, number>, id: number, n: number): void => {
    const sum = (counts.get(id) ?? 0) + n;
    // On another date, a spot with as many claims may have another last claim date.
    if (sum === 0 && !isOtherDate) counts.delete(id);
    else counts.set(id, sum);
  };
  for (const [dated, n] of [[before, -1] as const, [after, 1] as const]) {
    if (!dated) continue;
    for (const id of respawnsOf(dated.claim)) add(respawns, id, n);
    if (dated.claim.event_id !== null) add(events, dated.claim.event_id, n);
  }
}

/** Freed hours are offered; a character who has other claims now may leave a waitlist, or get an offer. */
function noteFreedHours(changes: ChangeRecorder, { before, after }: ClaimChange): void {
  const isOffer = !before && after?.claim.is_held;
  if (before && after && isTransferred(before, after)) {
    for (const { claim } of [before, after])
      changes.collect(freedHours).of(nameKey(claim.character_name));
    if (!isMoved(before, after)) return;
  }
  const becomesClaim = before?.claim.is_held && !after?.claim.is_held;
  // Holds are made of freed hours.
  if (isOffer || (before && after && !isMoved(before, after) && !becomesClaim)) return;
  const freed = changes.collect(freedHours);
  for (const { respawn_id } of before ? hoursLost(before, after) : [])
    freed.at(respawn_id, before?.claim.date ?? null);
  freed.of(nameKey((after ?? before)?.claim.character_name ?? ''));
}

/** Whether a part has to be confirmed, or a hold expires, at a time that was no deadline of the claim before. */
function hasNewDeadline({ before, after }: ClaimChange): boolean {
  if (!after) return false;
  const deadlinesOf = ({ claim }: DatedClaim): string[] => [
    ...claimOnRespawns(claim)
      .filter(({ split_part_number }) =>
        claim.to_confirm.some((part) => part === (split_part_number ?? 1)),
      )
      .map(({ hour_start }) => `${claim.date} ${hour_start}`),
    ...(claim.held_until ? [claim.held_until] : []),
  ];
  const known = new Set(before ? deadlinesOf(before) : []);
  return deadlinesOf(after).some((deadline) => !known.has(deadline));
}

/** How claims go to another character. */
const TRANSFER_WAYS: { readonly [C in Why['cause']]?: TransferWay } = {
  handed_over: 'handover',
  swapped: 'swap',
  reassigned: 'moved',
  moved_back: 'moved',
};

async function emitEvents(
  unit: ClaimWrite,
  claims: readonly ClaimChange[],
  why: Why,
): Promise<void> {
  const { reason, member_event }: Effects = EFFECTS[why.cause];
  await emitClaimEvents(unit.changes.collect(domainEvents), claims, {
    reason,
    by: adminAmong(unit.actor),
    member_event:
      member_event && (!('bulk' in why) || why.cause === 'restored' || why.bulk)
        ? member_event
        : null,
    is_bulk: 'bulk' in why && why.bulk !== null,
    transfer: TRANSFER_WAYS[why.cause] ?? null,
    wait_ids: why.cause === 'hold_offered' ? why.wait_ids : null,
    labels: () => labelsOf(unit, claims),
  });
}

/** How the board shows a claim: in its list, only the hours that it occupies on the active event's dates, or not at all. */
function viewOf({ claim, ...dates }: DatedClaim, guild: GuildNow): 'claim' | 'occupancy' | null {
  if (isOnBoard(claim, dates.last_date, guild)) return 'claim';
  return occupiesBoard(claim, dates, guild.active_event) ? 'occupancy' : null;
}

function showChange({ changes, guild }: ClaimWrite, { before, after }: ClaimChange): void {
  const was = before && viewOf(before, guild);
  const is = after && viewOf(after, guild);
  if (before && was && was !== is) changes.remove(was, before.claim.id);
  if (after && is === 'claim') changes.put({ kind: 'claim', record: after.claim });
  if (after && is === 'occupancy') changes.put({ kind: 'occupancy', record: occupancyOf(after) });
}

/** The characters, by their keys, whose claims the board did not or does not list: they see them among their own records. */
function offBoardOwners(claims: readonly ClaimChange[], guild: GuildNow): string[] {
  const states = claims.flatMap(({ before, after }) =>
    [before, after].filter((dated) => dated !== null),
  );
  const hidden = states.filter(
    (dated) => dated.last_date >= guild.today && viewOf(dated, guild) !== 'claim',
  );
  return [...new Set(hidden.map(({ claim }) => nameKey(claim.character_name)))];
}

/** Members are sent their missed claims. */
const missingOwners = (claims: readonly ClaimChange[], { reason }: Effects): string[] =>
  reason === 'no_show'
    ? claims.flatMap(({ before }) => (before ? nameKey(before.claim.character_name) : []))
    : [];

/** Secondary claims that follow their primary one (R5.7) have no entry of their own. */
async function logClaims(
  unit: ClaimWrite,
  claims: readonly ClaimChange[],
  why: Why,
): Promise<void> {
  const { entry } = EFFECTS[why.cause];
  if (entry === null) return;
  const labels = await labelsOf(unit, claims);
  const follower = claims.find(({ follows }) => follows);
  const entries: Entry<ClaimAction>[] = claims
    .filter(({ follows }) => !follows)
    .map((change) => {
      const details = {
        ...factsOf(change, entry, labels),
        ...(entry === 'claim_updated' && { changed: changedBy(change, follower, labels) }),
      };
      if ('undo' in why) return { details, undo: why.undo };
      return { details: why.cause === 'cleared' ? { ...details, cleared: true } : details };
    });
  await logActivities(unit, unit.actor, { action: entry, entries });
}

/** An entry's places are the hours that were released, missed or confirmed, else all of the claim's. */
function factsOf({ before, after }: ClaimChange, entry: ClaimAction, labels: RespawnLabels) {
  const isAboutLoss = entry === 'claim_released' || entry === 'claim_no_show';
  const dated = isAboutLoss ? before : (after ?? before);
  if (!dated) throw new Error('a changed claim has a state before or after it');
  const {
    id,
    character_name,
    member_type,
    date,
    event_id,
    is_secondary_claim,
    is_split_claim,
    to_confirm,
  } = dated.claim;
  const confirmed = before?.claim.to_confirm.filter((part) => !to_confirm.includes(part));
  const parts = isAboutLoss
    ? hoursLost(dated, after)
    : claimOnRespawns(dated.claim).filter(
        ({ split_part_number }) =>
          entry !== 'claim_confirmed' ||
          confirmed?.some((part) => part === (split_part_number ?? 1)),
      );
  return {
    claim_id: id,
    character_name,
    member_type,
    date,
    event_id,
    is_secondary_claim,
    is_split_claim,
    places: parts.map(({ respawn_id, hour_start, hour_end }) => {
      return { respawn_id, respawn_name: labels.get(respawn_id)?.name ?? '', hour_start, hour_end };
    }),
  };
}

/** A whole claim before and after an admin's change: its character, spot, date, and hours with those of its secondary claim. */
function changedBy(
  { before, after }: ClaimChange,
  follower: ClaimChange | undefined,
  labels: RespawnLabels,
) {
  const from = before?.claim;
  const to = after?.claim;
  if (!from || !to) return {};
  const isRenamed = from.character_name !== to.character_name;
  const isOtherType = from.member_type !== to.member_type;
  const nameOf = (respawn_id: number): string => labels.get(respawn_id)?.name ?? '';
  const isElsewhere = from.respawn_id !== to.respawn_id;
  const isOtherDate = from.date !== to.date;
  const isResized = from.hour_start !== to.hour_start || from.hour_end !== to.hour_end;
  const secondary_hour_end = {
    from: follower?.before?.claim.hour_end,
    to: follower?.after?.claim.hour_end,
  };
  return {
    ...(isRenamed && { character_name: { from: from.character_name, to: to.character_name } }),
    ...(isOtherType && { member_type: { from: from.member_type, to: to.member_type } }),
    ...(isElsewhere && {
      respawn_name: { from: nameOf(from.respawn_id), to: nameOf(to.respawn_id) },
    }),
    ...(isOtherDate && { date: { from: from.date, to: to.date } }),
    // An edit that changes nothing names the hours, too.
    ...((isResized || !(isElsewhere || isOtherDate || isRenamed)) && {
      hour_start: { from: from.hour_start, to: to.hour_start },
      hour_end: { from: from.hour_end, to: to.hour_end },
    }),
    ...(secondary_hour_end.from !== secondary_hour_end.to && { secondary_hour_end }),
  };
}

interface Ends {
  reason: EndingReason;
  /** The spots that the claims covered; their names are kept, as the spots may be deleted. */
  labels: ReadonlyMap<number, { name: string } | undefined>;
}

/** Records why hours of claims ended: those of each deleted part, and those that a claim no longer covers. */
export async function recordEnds(
  { ctx, tx, actor, at }: ClaimWrite,
  claims: readonly ClaimChange[],
  { reason, labels }: Ends,
): Promise<void> {
  const { date: ended_date, hour: ended_hour } = serverSaveNow(ctx);
  const end = {
    ended_at: at.toISOString(),
    ended_date,
    ended_hour,
    reason,
    ended_by: nameOf(actor),
  };
  const rows = claims.flatMap(({ before, after }) => {
    if (!before) return [];
    const { claim, first_date, last_date } = before;
    const {
      id: claim_id,
      character_name,
      member_type,
      is_secondary_claim,
      event_id,
      date,
      created_at: made_at,
      standing_id,
    } = claim;
    const common = {
      claim_id,
      character_name,
      character_key: nameKey(character_name),
      member_type,
      is_secondary_claim,
      event_id,
    };
    const isGivenAway = after !== null && isTransferred(before, after);
    const to_name = isGivenAway ? after.claim.character_name : null;
    return hoursLost(before, isGivenAway ? null : after).map(({ respawn_id, ...hours }) => {
      const respawn_name = labels.get(respawn_id)?.name ?? '';
      return {
        ...common,
        standing_id,
        date,
        made_at,
        first_date,
        last_date,
        respawn_id,
        respawn_name,
        to_name,
        ...hours,
        ...end,
      };
    });
  });
  for (const some of inBatches(rows)) await tx.insertInto('claim_endings').values(some).execute();
}

/** Ends of a whole claim that the activity log can undo. */
const UNDOABLE: readonly EndingReason[] = ['admin', 'cleared', 'event', 'respawn'];

/** Hidden from the index of reasons: with few reasons and many claims, SQLite would read every row with one of these reasons. */
const REASON = sql<EndingReason>`reason || ''`;

/** Forgets that deleted claims ended, once they are restored. Hours that they lost before stay recorded. */
export async function forgetEnds(tx: Tx, claim_ids: readonly number[]): Promise<void> {
  for (const ids of inBatches(claim_ids)) {
    await tx
      .deleteFrom('claim_endings')
      .where('claim_id', 'in', ids)
      .where(among('claim_id', ids))
      .where(REASON, 'in', UNDOABLE)
      .execute();
  }
}

/** Forgets that an edit took hours or claims from their holders, once it is undone. */
async function forgetEndsSince(
  tx: Tx,
  claim_ids: readonly number[],
  last_ending: number,
): Promise<void> {
  await tx
    .deleteFrom('claim_endings')
    .where('claim_id', 'in', claim_ids)
    .where('id', '>', last_ending)
    .execute();
}
