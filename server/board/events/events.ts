import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { eventDate, periodRefusal } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type {
  Activation,
  ActivationAnswer,
  Event,
  EventChange,
  EventInput,
  NewEvent,
} from '../../../shared/schemas/event.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import type { Reading, Tx } from '../../db/database.ts';
import { domainEvents } from '../../db/domain-events.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import { type Unit, type Writing, write, writeMany } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { beyondUndo, deleteClaims } from '../claims/end-claims.ts';
import { occupiedRows, rowsOfEvent } from '../claims/occupancy.ts';
import { freedHours } from '../freed-hours.ts';
import { keptEntries } from '../kept-entries.ts';
import { activeEvent, findEvent, isActive, putEvent } from '../records/guild.ts';
import { reopenEntries } from '../waitlist/reopen-entries.ts';
import { openStoredEntries } from '../waitlist/waitlist-store.ts';
import { moveEventDates } from './event-dates.ts';
import { rowOfEvent } from './restore.ts';
import { countOutside, takeClaims } from './take-claims.ts';

const CHANGEABLE = ['name', 'type', 'start_time', 'end_time', 'single_claim_template'] as const;

/** Holds don't count: they end when the type changes or the dates leave them outside (R9.9). */
async function hasClaims(tx: Tx, { id, claim_count }: Event): Promise<boolean> {
  if (claim_count === 0) return false;
  const claims = tx
    .selectFrom('claims')
    .select('id')
    .where('event_id', '=', id)
    .where('held_until', 'is', null);
  return (await claims.limit(1).executeTakeFirst()) !== undefined;
}

/** A template belongs to single_claim events only. */
const templateOf = (type: Event['type'], template: string | null | undefined): string | null =>
  type === 'single_claim' ? template || null : null;

/**
 * Inserts a new event.
 * @throws DomainError event.nameExists
 */
export async function insertEvent({ ctx, tx }: Unit, input: EventInput): Promise<Event> {
  await assertNameIsFree(tx, 'events', input);
  const { id } = await tx
    .insertInto('events')
    .values({
      ...input,
      name_key: nameKey(input.name),
      single_claim_template: templateOf(input.type, input.single_claim_template),
      created_at: ctx.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return existing(await findEvent(tx, id), 'event.notFound');
}

/**
 * Creates an event, and activates it where the request says so.
 * @throws DomainError event.nameExists
 */
export function createEvent(
  ctx: Writing,
  admin: Admin,
  request: EventInput & Partial<Pick<NewEvent, 'activate'>>,
): Promise<Event> {
  return write(ctx, async (unit) => {
    const event = await insertEvent(unit, omit(request, 'activate'));
    putEvent(unit.changes, event);
    const { name, type, start_time, end_time } = event;
    await logActivity(unit, admin, {
      action: 'event_created',
      details: { event_id: event.id, name, type, start_time, end_time },
    });
    return request.activate ? switchEvent(unit, admin, { id: event.id, active: true }) : event;
  });
}

/**
 * Changes the given fields (R3.6 to R3.8).
 * @throws DomainError event.claimsOutside or event.hoursTaken, naming the claims in the way of new dates; hold.taken;
 * event.typeHasClaims, event.nameExists, event.endBeforeStart, event.tooLong, event.notFound
 */
export async function updateEvent(
  ctx: Writing,
  admin: Admin,
  { id, ...input }: EventChange & { id: number },
): Promise<Event> {
  const known = await findEvent(ctx.db, id);
  const movesDates = input.start_time !== undefined || input.end_time !== undefined;
  return writeMany(ctx, known && movesDates ? rowsOfEvent(known) : 0, async (unit) => {
    const { tx, changes } = unit;
    const before = existing(await findEvent(tx, id), 'event.notFound');
    const {
      name = before.name,
      type = before.type,
      start_time = before.start_time,
      end_time = before.end_time,
    } = input;
    const refusal = periodRefusal({ start_time, end_time });
    if (refusal) throw new DomainError(refusal);
    if (type !== before.type && (await hasClaims(tx, before)))
      throw new DomainError('event.typeHasClaims');
    await assertNameIsFree(tx, 'events', { name, id });
    const template =
      input.single_claim_template === undefined
        ? before.single_claim_template
        : input.single_claim_template;
    await moveEventDates({ ...unit, actor: admin }, before, { start_time, end_time });
    changes.collect(freedHours).everywhere();
    await tx
      .updateTable('events')
      .set({
        name,
        name_key: nameKey(name),
        type,
        start_time,
        end_time,
        single_claim_template: templateOf(type, template),
      })
      .where('id', '=', id)
      .execute();
    const after = existing(await findEvent(tx, id), 'event.notFound');
    putEvent(changes, after);
    const first = eventDate(start_time);
    const last = eventDate(end_time);
    const isMoved = first !== eventDate(before.start_time) || last !== eventDate(before.end_time);
    if (isMoved && type === 'single_claim')
      changes
        .collect(domainEvents)
        .report({ type: 'event.moved', data: { event_id: id, first, last } });
    if (showsOthers(before, after, isMoved)) changes.reset();
    await logActivity(unit, admin, {
      action: 'event_updated',
      details: { event_id: id, name, changed: changedFields(before, after, CHANGEABLE) },
    });
    return after;
  });
}

/** Whether editing the event changes which claims the board shows. */
function showsOthers(
  before: Event,
  { type, name, end_time, is_active, claim_count }: Event,
  isMoved: boolean,
): boolean {
  // Another event's claims occupy hours on the active one's dates.
  if (is_active) return isMoved;
  if (claim_count === 0) return false;
  // The hours that its claims occupy are shown with its name.
  if (name !== before.name) return true;
  // Claims of a single_claim event have the event's dates, and spots show when they were last claimed.
  return type === 'single_claim' && (isMoved || end_time !== before.end_time);
}

/**
 * Deletes an event with its claims.
 * @throws DomainError event.notFound
 */
export async function deleteEvent(ctx: Writing, admin: Admin, id: number): Promise<void> {
  const before = await findEvent(ctx.db, id);
  await writeMany(ctx, before ? rowsOfEvent(before) : 0, async (unit) => {
    const { tx, changes } = unit;
    const event = existing(await findEvent(tx, id), 'event.notFound');
    const { name, type, start_time, end_time, is_active, claim_count } = event;
    if (is_active) reportSwitch(unit, { off: event, on: null });
    const { undo, named } = await deleteClaims(
      await beginClaimWrite(unit, admin),
      { type: 'event', event_id: id },
      {
        cause: 'event_deleted',
        bulk: { action: 'event_deleted', event: { id, name }, respawn: null },
        event: await rowOfEvent(tx, id),
        records: await keptEntries(
          tx,
          (await openStoredEntries(tx)).filter(({ event_id }) => event_id === id),
        ),
      },
    );
    await tx.deleteFrom('events').where('id', '=', id).execute();
    changes.collect(freedHours).everywhere();
    // Claims leave the board and spots' counts change; without an active event the board shows other claims.
    if (is_active || claim_count > 0) changes.reset();
    else changes.remove('event', id, 'dashboard');
    const details = {
      event_id: id,
      name,
      type,
      start_time,
      end_time,
      claim_count,
      ...beyondUndo(claim_count),
    };
    await logActivity(unit, admin, { action: 'event_deleted', details, undo, named });
  });
}

/** Counts the claims that would stay outside an event that is activated. @throws DomainError event.notFound */
export async function previewActivation(ctx: Reading, id: number): Promise<ActivationAnswer> {
  const event = existing(await findEvent(ctx.db, id), 'event.notFound');
  return countOutside(ctx, ctx.longReads, event);
}

interface ActivationChange extends Partial<Activation> {
  id: number;
  active: boolean;
}

/**
 * Makes an event the only active one, or deactivates it. Everyone loads the board again. Waitlist entries that ended today because of
 * the event are reopened (R9.15). With `take_claims` claims outside the event become its own, if they fit into it (R3.13).
 * @throws DomainError event.notFound
 */
export async function setEventActive(
  ctx: Writing,
  admin: Admin,
  { id, active, take_claims = false }: ActivationChange,
): Promise<Event> {
  const already = await findEvent(ctx.db, id);
  const taking = take_claims && already ? (await countOutside(ctx, ctx.db, already)).fitting : 0;
  // Without a change, no board needs to load again.
  if (already && Boolean(already.is_active) === active && taking === 0) return already;
  return writeMany(ctx, occupiedRows(taking), (unit) =>
    switchEvent(unit, admin, { id, active, take_claims }),
  );
}

/** @throws DomainError event.notFound */
export async function switchEvent(
  unit: Unit,
  admin: Admin,
  { id, active, take_claims = false }: ActivationChange,
): Promise<Event> {
  const { tx, changes } = unit;
  const before = existing(await findEvent(tx, id), 'event.notFound');
  const was = await activeEvent(tx);
  if (active) await tx.updateTable('events').set({ is_active: 0 }).where(isActive).execute();
  await tx
    .updateTable('events')
    .set({ is_active: active ? 1 : 0 })
    .where('id', '=', id)
    .execute();
  changes.reset();
  changes.collect(freedHours).everywhere();
  const claims_taken = take_claims
    ? await takeClaims(await beginClaimWrite(unit, admin), before)
    : 0;
  const after = existing(await findEvent(tx, id), 'event.notFound');
  if (Boolean(before.is_active) !== active)
    reportSwitch(unit, { off: active ? was : before, on: active ? after : null });
  const action = active ? 'event_activated' : 'event_deactivated';
  await logActivity(unit, admin, {
    action,
    details: {
      event_id: id,
      name: before.name,
      ...(claims_taken > 0 && { claims_taken }),
      changed: { active_event: { from: was?.name ?? null, to: active ? before.name : null } },
    },
  });
  if (active) await reopenEntries(unit, admin, after);
  return after;
}

/** Reports the event that was deactivated, then the one that was activated. */
function reportSwitch(
  { changes }: Unit,
  { off, on }: { off: Event | null; on: Event | null },
): void {
  const events = changes.collect(domainEvents);
  if (off) events.report({ type: 'event.deactivated', data: { ...off, is_active: 0 } });
  if (on) events.report({ type: 'event.activated', data: on });
}
