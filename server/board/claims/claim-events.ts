import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type {
  DomainEventType,
  EventClaim,
  MemberEvent,
  PublicEventData,
  TransferWay,
} from '../../../shared/schemas/domain-events.ts';
import type { EndingReason } from '../../../shared/schemas/ending.ts';
import { type DomainEvents, domainEvents } from '../../db/domain-events.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { RespawnLabels } from '../records/respawns.ts';
import {
  type ClaimChange,
  claimRow,
  type DatedClaim,
  hoursLost,
  isMoved,
} from './claim-records.ts';

/*
 * The domain events of claims. A receiver that adds each created claim, replaces each updated one and drops each deleted one has the
 * guild's claims. Holds are offered and become claims when they are accepted; that one was declined or expired is no event. Bulk
 * operations send one summary, after which receivers reload the claims.
 */

export type MemberEventType = MemberEvent['type'];

/** The summary of a bulk operation, without its numbers. */
export type BulkWork = Pick<PublicEventData<'claims.changed'>, 'action' | 'event' | 'respawn'>;

interface Emission {
  /** Why deleted claims ended; null for archived ones. */
  reason: EndingReason | null;
  /** The admin who did it; null: no admin did. */
  by: string | null;
  /** For the claimants; null: none. */
  member_event: MemberEventType | null;
  /** The claims' own events are left to the summary. */
  is_bulk: boolean;
  /** How claims went to another character; null: they did not. */
  transfer: TransferWay | null;
  /** Of offered holds, by the id of their claim. */
  wait_ids: ReadonlyMap<number, number> | null;
  labels: () => Promise<RespawnLabels>;
}

/** Emits the domain events of some changed claims. Looks nothing up if no channel and no member listens. */
export async function emitClaimEvents(
  events: DomainEvents,
  claims: readonly ClaimChange[],
  emission: Emission,
): Promise<void> {
  const due = claims.filter((change) =>
    eventsOf(change, emission).some((type) => events.hasSubscriber(type)),
  );
  if (due.length === 0) return;
  const facts = { ...emission, labels: await emission.labels() };
  for (const change of due)
    for (const type of eventsOf(change, emission)) emit(events, { type, ...change }, facts);
  await events.flushIfMany();
}

/** The events of one claim, in the order in which they are emitted. */
function eventsOf(
  { before, after, follows }: ClaimChange,
  { reason, member_event, is_bulk, wait_ids, transfer }: Emission,
): DomainEventType[] {
  const was = before && !before.claim.is_held ? before : null;
  const is = after && !after.claim.is_held ? after : null;
  const types: DomainEventType[] = [];
  if (!is_bulk) {
    if (after?.claim.is_held && !before && wait_ids) types.push('hold.offered');
    if (was && !follows && reason === 'no_show') types.push('claim.no_show');
    if (is && !was) types.push('claim.created');
    if (was && is && transfer) types.push('claim.transferred');
    else if (was && is && isMoved(was, is)) types.push('claim.updated');
    if (was && !is) types.push('claim.deleted');
  }
  if (member_event && (is || was || member_event === 'hold.withdrawn')) types.push(member_event);
  if (before && isPromptChanged(before, after)) types.push('prompt.changed');
  return types;
}

/** Whether its member can no longer answer as before: it was held or had to be confirmed, and is something else now. */
function isPromptChanged(before: DatedClaim, after: DatedClaim | null): boolean {
  const was = before.claim;
  const is = after?.claim;
  if (!was.is_held && was.to_confirm.length === 0) return false;
  if (was.character_name !== is?.character_name) return true;
  return (
    !after ||
    was.held_until !== is?.held_until ||
    was.to_confirm.length !== is.to_confirm.length ||
    isMoved(before, after)
  );
}

function emit(
  events: DomainEvents,
  { type, before, after }: ClaimChange & { type: DomainEventType },
  { reason, by, wait_ids, transfer, labels }: Omit<Emission, 'labels'> & { labels: RespawnLabels },
): void {
  const dated = after ?? before;
  if (!dated) return;
  const { claim } = dated;
  if (type === 'claim.created') events.report({ type, data: newsClaim(claim, labels, by) });
  if (type === 'hold.offered')
    events.report({
      type,
      data: { ...newsClaim(claim, labels, by), wait_id: wait_ids?.get(claim.id) ?? 0 },
    });
  if (type === 'claim.deleted' && reason)
    events.report({ type, data: { ...newsClaim(claim, labels, by), reason } });
  if (type === 'claim.updated' && before && after) {
    events.report({
      type,
      data: { ...newsClaim(claim, labels, by), before: changedPart(before, after, labels) },
    });
  }
  if (type === 'prompt.changed') events.report({ type, data: { about: `claim ${claim.id}` } });
  if (type === 'claim.transferred' && before && transfer) {
    events.report({
      type,
      data: {
        ...newsClaim(claim, labels, by),
        from: before.claim.character_name,
        how: transfer,
        ...(isMoved(before, dated) && { before: changedPart(before, dated, labels) }),
      },
    });
  }
  if (type === 'claim.no_show' && before) {
    const [missed] = after ? hoursLost(before, after) : [];
    const part_number = missed ? (missed.part_number === 2 ? 2 : 1) : null;
    events.report({ type, data: { ...newsClaim(before.claim, labels, by), part_number } });
  }
  if (
    type === 'claim.restored' ||
    type === 'claim.added' ||
    type === 'claim.removed' ||
    type === 'hold.withdrawn'
  ) {
    const { id, character_name, date, hour_start, hour_end } = claim;
    events.report({
      type,
      data: {
        id,
        character_name,
        respawn_name: nameIn(labels, claim.respawn_id),
        date,
        hour_start,
        hour_end,
      },
    });
  }
}

const nameIn = (labels: RespawnLabels, respawn_id: number): string =>
  labels.get(respawn_id)?.name ?? '';

/** The claim before its update; of a split one the part that changed. */
function changedPart(before: DatedClaim, after: DatedClaim, labels: RespawnLabels) {
  const [lost] = hoursLost(before, after);
  const parts = claimOnRespawns(before.claim);
  const part =
    parts.find(({ split_part_number }) => split_part_number === lost?.part_number) ?? before.claim;
  const { date } = before.claim;
  return {
    respawn_name: nameIn(labels, part.respawn_id),
    date,
    hour_start: part.hour_start,
    hour_end: part.hour_end,
  };
}

/** A claim as events carry it: whole, with the names of its spots. */
function newsClaim(claim: Claim, labels: RespawnLabels, by: string | null): EventClaim {
  const whole = {
    ...claim,
    split_group_id: claim.is_split_claim ? claim.id : null,
    split_part_number: null,
  };
  const split_parts = claim.split_parts.map((part) => ({
    ...part,
    respawn_name: nameIn(labels, part.respawn_id),
  }));
  return { ...claimRow(whole, labels.get(claim.respawn_id)), split_parts, by };
}

/** Summarizes a bulk operation for channels, unless it neither made nor deleted a claim. */
export function emitBulkSummary({ changes }: Unit, data: PublicEventData<'claims.changed'>): void {
  if (data.created + data.deleted > 0)
    changes.collect(domainEvents).report({ type: 'claims.changed', data });
}
