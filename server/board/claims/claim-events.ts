import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { MemberEvent, NewsClaim, NewsData } from '../../../shared/schemas/news.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import { domainEvents } from '../../db/domain-events.ts';
import type { Tx } from '../../db/open.ts';
import type { Ended } from '../claim-history/record-endings.ts';
import { findPlaces, type Place } from '../records/respawns.ts';
import { claimRow } from './claim-records.ts';

/*
 * Whoever adds what is created, replaces what is updated and drops what is deleted has the claims that there are. What is only
 * held for somebody in line is offered, and no claim until it is accepted; that it was declined or has lapsed is told to nobody.
 * That somebody came and said so, and what a spot is called from now on, change neither who hunts nor where or when. Claims that
 * leave for the archive stand there as they were: that is told to nobody, either. Bulk work sends only a summary, so
 * receivers must then reload the claims.
 */

type Telling = Pick<ChangeRecorder, 'collect'>;
type Places = ReadonlyMap<number, Place | undefined>;

/** A claim as it is told: whole and once, with the names of the spots it stands on. */
function newsClaim(claim: Claim, places: Places, by: string | null): NewsClaim {
  const whole = { ...claim, split_group_id: claim.is_split_claim ? claim.id : null, split_part_number: null };
  const split_parts = claim.split_parts.map((part) => ({ ...part, respawn_name: places.get(part.respawn_id)?.name ?? '' }));
  return { ...claimRow(whole, places.get(claim.respawn_id)), split_parts, by };
}

const placesOf = (tx: Tx, claims: readonly Claim[]): Promise<Places> =>
  findPlaces(tx, new Set(claims.flatMap(claimOnRespawns).map(({ respawn_id }) => respawn_id)));

/**
 * Tells of claims that came: submitted, accepted, put back.
 * @param by the admin who did it; null: no admin did
 * @param known the spots that they stand on, where the caller knows them
 */
export async function tellCreated(
  tx: Tx,
  changes: Telling,
  claims: readonly Claim[],
  by: string | null,
  known: Places | null = null,
): Promise<void> {
  const events = changes.collect(domainEvents);
  if (!events.hasSubscriber('claim.created') || claims.length === 0) return;
  const places = known ?? (await placesOf(tx, claims));
  for (const claim of claims) events.report({ type: 'claim.created', data: newsClaim(claim, places, by) });
  await events.flushIfMany();
}

/** Tells the claimants alone what an admin did to their claims. */
export async function notifyClaimants(tx: Tx, changes: Telling, type: MemberEvent['type'], claims: readonly Claim[]): Promise<void> {
  const events = changes.collect(domainEvents);
  if (!events.hasSubscriber(type) || claims.length === 0) return;
  const places = await placesOf(tx, claims);
  for (const { id, character_name, respawn_id, date, hour_start, hour_end } of claims) {
    const respawn_name = places.get(respawn_id)?.name ?? '';
    events.report({ type, data: { id, character_name, respawn_name, date, hour_start, hour_end } });
  }
  await events.flushIfMany();
}

/** What bulk work is about, as its summary says it. */
export type BulkWork = Pick<NewsData<'claims.changed'>, 'action' | 'event' | 'respawn'>;

/** Tells of bulk work once, however many claims it made or deleted; nothing where those were none. */
export function tellBulk(changes: Telling, work: BulkWork, by: string | null, { created = 0, deleted = 0 }): void {
  const events = changes.collect(domainEvents);
  if (created + deleted > 0) events.report({ type: 'claims.changed', data: { ...work, by, created, deleted } });
}

/** A claim that has other hours, another spot or a part less. */
export interface Updated {
  /** Of a split claim the part that is another one, or gone. */
  before: Pick<Claim, 'respawn_id' | 'hour_start' | 'hour_end'>;
  claim: Claim;
}

const isOther = ({ before, claim }: Updated): boolean =>
  before.respawn_id !== claim.respawn_id || before.hour_start !== claim.hour_start || before.hour_end !== claim.hour_end;

/** Tells of claims that are others now; of those that were changed to what they were, nothing. */
export async function tellUpdated(tx: Tx, changes: Telling, changed: readonly Updated[], by: string | null): Promise<void> {
  const events = changes.collect(domainEvents);
  const updated = changed.filter(isOther);
  if (!events.hasSubscriber('claim.updated') || updated.length === 0) return;
  const ids = updated.flatMap(({ before, claim }) => [before.respawn_id, ...claimOnRespawns(claim).map(({ respawn_id }) => respawn_id)]);
  const places = await findPlaces(tx, new Set(ids));
  for (const { before, claim } of updated) {
    const { respawn_id, hour_start, hour_end } = before;
    const was = { respawn_name: places.get(respawn_id)?.name ?? '', hour_start, hour_end };
    events.report({ type: 'claim.updated', data: { ...newsClaim(claim, places, by), before: was } });
  }
}

/** Whether anybody is told of claims that end so. */
export function hearsEnds(changes: Telling, { reason, is_bulk = false }: Ended): boolean {
  const events = changes.collect(domainEvents);
  return (
    events.hasSubscriber(is_bulk ? 'claim.removed' : 'claim.deleted') || (reason === 'no_show' && events.hasSubscriber('claim.no_show'))
  );
}

/** Tells of claims that are about to be deleted, and that nobody came to them where that is why; in bulk only their claimants. */
export async function tellDeleted(tx: Tx, changes: Telling, claims: readonly Claim[], { reason, by_admin, is_bulk }: Ended): Promise<void> {
  const deleted = claims.filter(({ is_held }) => !is_held);
  if (deleted.length === 0) return;
  if (is_bulk) return notifyClaimants(tx, changes, 'claim.removed', deleted);
  const events = changes.collect(domainEvents);
  const places = await placesOf(tx, deleted);
  for (const claim of deleted) {
    const data = newsClaim(claim, places, by_admin);
    if (reason === 'no_show') events.report({ type: 'claim.no_show', data: { ...data, part_number: null } });
    events.report({ type: 'claim.deleted', data: { ...data, reason } });
  }
  await events.flushIfMany();
}

/** Tells that nobody came to one part of a split claim; the other one stands. @param claim as it was */
export async function tellPartMissed(tx: Tx, changes: Telling, claim: Claim, part_number: number): Promise<void> {
  const events = changes.collect(domainEvents);
  if (!events.hasSubscriber('claim.no_show')) return;
  const data = newsClaim(claim, await placesOf(tx, [claim]), null);
  events.report({ type: 'claim.no_show', data: { ...data, part_number: part_number === 2 ? 2 : 1 } });
}

/** Tells that hours are held for those next in line. */
export async function tellOffered(tx: Tx, changes: Telling, offers: readonly { claim: Claim; wait_id: number }[]): Promise<void> {
  const events = changes.collect(domainEvents);
  if (!events.hasSubscriber('hold.offered') || offers.length === 0) return;
  const claims = offers.map(({ claim }) => claim);
  const places = await placesOf(tx, claims);
  for (const { claim, wait_id } of offers) events.report({ type: 'hold.offered', data: { ...newsClaim(claim, places, null), wait_id } });
  await events.flushIfMany();
}
