import { DomainError, existing } from '../../../shared/errors.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { type EventPeriod, eventDate, periodRefusal } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { daysFrom, periodFrom } from '../../../shared/rules/next-period.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import {
  type Event,
  type EventFacts,
  type EventInput,
  eventTime,
} from '../../../shared/schemas/event.ts';
import type {
  ClaimsToCopy,
  ClaimToCopy,
  EventCopied,
  EventCopy,
} from '../../../shared/schemas/event-copy.ts';
import { logActivity } from '../../auth/activity-log.ts';
import {
  CLAIM_BATCH_SIZE,
  type Db,
  readOneState,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import { type ChangeRecorder, type Writing, writeMany } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { type ClaimChange, loadClaims } from '../claims/claim-records.ts';
import { beginClaimWriteOf, type ClaimWrite, manyClaimsChanged } from '../claims/claims-changed.ts';
import { occupiedRows } from '../claims/occupancy.ts';
import { storeClaims } from '../claims/store-claims.ts';
import { insertEvent } from '../events/events.ts';
import { findEvent, putEvent } from '../records/guild.ts';
import { authorizedCharacters } from '../records/members.ts';
import { findPlaces } from '../records/respawns.ts';
import { type Judged, type JudgedCopy, judgeCopy, weightOf } from './copy-rules.ts';

/** For a copy or its preview. */
export interface CopyContext extends Writing {}

/** The event id of a preview. */
const NO_EVENT = 0;

/** The new event, and which event it copies. */
export interface Making {
  input: EventInput;
  /** The event whose claims are copied; null: none. */
  source: Event | null;
  wanted: ClaimsToCopy;
  /** The template that the copy uses. */
  template: string | null;
}

/**
 * Creates an event like another one on other dates, or previews it. Claims that may be copied are shifted by as many days as the
 * event's start.
 * @throws DomainError event.notFound, event.nameExists, event.endBeforeStart, event.tooLong, event.timesRequired, event.tooManyToCopy
 */
export async function copyEvent(
  ctx: CopyContext,
  admin: Admin,
  id: number,
  request: EventCopy,
): Promise<EventCopied> {
  const makingOf = async (db: Db | Tx): Promise<Making> => {
    const source = existing(await findEvent(db, id), 'event.notFound');
    const { name, claims: wanted } = request;
    const { type, single_claim_template } = source;
    return {
      input: { name, type, single_claim_template, ...periodOf(source, request) },
      source,
      wanted,
      template: null,
    };
  };
  return request.preview ? previewCopy(ctx, makingOf) : makeCopy(ctx, admin, makingOf);
}

function periodOf(source: Event, { start_time, end_time }: EventCopy): EventPeriod {
  const period = {
    start_time,
    end_time: end_time ?? periodFrom(source, eventDate(start_time)).end_time,
  };
  assertPeriod(period);
  return period;
}

/** @throws DomainError event.timesRequired if it would end beyond the calendar's last date; event.endBeforeStart, event.tooLong */
export function assertPeriod(period: EventPeriod): void {
  if (![period.start_time, period.end_time].every((time) => eventTime.safeParse(time).success))
    throw new DomainError('event.timesRequired');
  const refusal = periodRefusal(period);
  if (refusal) throw new DomainError(refusal);
}

/** @param makingOf reads the request, in the transaction that judges it */
export function previewCopy(
  ctx: CopyContext,
  makingOf: (tx: Tx) => Promise<Making>,
): Promise<EventCopied> {
  return readOneState(ctx, async (tx) => {
    const making = await makingOf(tx);
    const judged = await judgedOf(ctx, tx, making, NO_EVENT);
    return copiedAnswer(tx, null, making.input, judged, dateIn(making));
  });
}

/** Judges the request and stores the copy. */
export async function makeCopy(
  ctx: CopyContext,
  admin: Admin,
  makingOf: (db: Db | Tx) => Promise<Making>,
  also: (tx: Tx, changes: ChangeRecorder, event: Event) => Promise<void> = async () => {},
): Promise<EventCopied> {
  const { source, input, wanted } = await makingOf(ctx.db);
  const weight = source ? weightOf(source, factsOf(input, NO_EVENT), wanted) : 0;
  return writeMany(ctx, occupiedRows(weight), async ({ tx, changes }) => {
    const making = await makingOf(tx);
    const made = await insertEvent(ctx, tx, making.input);
    const judged = await judgedOf(ctx, tx, making, made.id);
    const coming = judged.claims.filter(({ refusal }) => refusal === null);
    await storeCopies(await beginClaimWriteOf({ ctx, tx, changes }, admin), coming, made);
    const event = (await findEvent(tx, made.id)) ?? made;
    if (coming.length === 0) putEvent(changes, event);
    const answer = await copiedAnswer(tx, event, event, judged, dateIn(making));
    const { id: event_id, name, type, start_time, end_time } = event;
    await logActivity({ changes }, admin, {
      action: 'event_copied',
      details: {
        ...{ event_id, name, type, start_time, end_time },
        claim_count: answer.copied,
        copied_from: making.source?.name ?? null,
        template: making.template,
        left_out: answer.left_out + answer.gone,
      },
    });
    await also(tx, changes, event);
    return answer;
  });
}

const factsOf = ({ type, start_time, end_time }: EventInput, id: number): EventFacts => ({
  id,
  type,
  start_time,
  end_time,
});

async function judgedOf(
  ctx: CopyContext,
  tx: Tx,
  { input, source, wanted }: Making,
  id: number,
): Promise<JudgedCopy> {
  return source ? judgeCopy(ctx, tx, source, factsOf(input, id), wanted) : { claims: [], gone: 0 };
}

const dateIn =
  ({ source, input }: Making) =>
  ({ date }: Claim): string | null =>
    date === null || source === null
      ? null
      : addDays(date, daysFrom(eventDate(source.start_time), eventDate(input.start_time)));

/** Stores the copied claims, with everything that follows (`claimsChanged`). */
async function storeCopies(
  unit: ClaimWrite,
  coming: readonly Judged[],
  { id, name }: Pick<Event, 'id' | 'name'>,
): Promise<void> {
  const bulk =
    coming.length === 1
      ? null
      : ({ action: 'event_copied', event: { id, name }, respawn: null } as const);
  await manyClaimsChanged(unit, storeInBatches(unit, coming, name), { cause: 'copied', bulk });
}

async function* storeInBatches(
  unit: ClaimWrite,
  coming: readonly Judged[],
  event_name: string,
): AsyncGenerator<ClaimChange[], void> {
  for (const some of inUnits(coming)) {
    const plans = some.flatMap(({ planned }) => (planned ? [planned] : []));
    const characters = await authorizedCharacters(
      unit.tx,
      plans.map(({ character_name }) => character_name),
    );
    const claims = plans.flatMap((planned) => {
      const character = characters.of(planned.character_name);
      return character ? { planned, character } : [];
    });
    const stored = await storeClaims(unit, claims, { event_name });
    yield stored.map((after) => ({ before: null, after }));
    await yieldToEventLoop();
  }
}

/** Claims in batches that have a character's secondary claim with its primary one. */
function* inUnits(coming: readonly Judged[]): Generator<Judged[], void> {
  const units = Map.groupBy(
    coming,
    ({ planned }) => `${planned?.date} ${nameKey(planned?.character_name ?? '')}`,
  );
  let batch: Judged[] = [];
  for (const unit of units.values()) {
    batch.push(...unit);
    if (batch.length < CLAIM_BATCH_SIZE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Place = Pick<PlannedClaim['parts'][number], 'respawn_id' | 'hour_start' | 'hour_end'>;

/**
 * The answer for a copy.
 * @param event the new event; null for a preview, which lists every requested claim
 * @param dateOf a claim's date in the copy; null: every date
 */
async function copiedAnswer(
  tx: Tx,
  event: Event | null,
  { start_time, end_time }: EventPeriod,
  { claims, gone }: JudgedCopy,
  dateOf: (claim: Claim) => string | null,
): Promise<EventCopied> {
  const left = claims.filter(({ refusal }) => refusal !== null);
  const listed = event ? left : claims;
  const holders = new Map<number, Claim>();
  for (const claim of await loadClaims(tx, {
    of: 'ids',
    ids: [...new Set(listed.flatMap((each) => each.holders))],
  }))
    holders.set(claim.id, claim);
  const spots = [
    ...listed.flatMap(placesOf),
    ...[...holders.values()].flatMap(claimOnRespawns),
  ].map(({ respawn_id }) => respawn_id);
  const places = await findPlaces(tx, new Set(spots));
  const named = ({ respawn_id, hour_start, hour_end }: Place) => ({
    respawn_id,
    respawn_name: places.get(respawn_id)?.name ?? '',
    hour_start,
    hour_end,
  });
  return {
    event,
    start_time,
    end_time,
    copied: claims.length - left.length,
    left_out: left.length,
    gone,
    claims: listed.map((judged): ClaimToCopy => {
      const { id, is_secondary_claim, is_split_claim } = judged.of;
      const { character_name, member_type } = judged.planned ?? judged.of;
      return {
        ...{ id, character_name, member_type, is_secondary_claim, is_split_claim },
        date: dateOf(judged.of),
        places: placesOf(judged).map(named),
        refusal: judged.refusal && {
          code: judged.refusal.code,
          params: { ...judged.refusal.params },
        },
        holders: judged.holders.flatMap((holder) => {
          const claim = holders.get(holder);
          if (!claim) return [];
          const { character_name, date, held_until } = claim;
          return claimOnRespawns(claim)
            .map(named)
            .map(({ respawn_id: _, ...place }) => ({ character_name, date, held_until, ...place }));
        }),
      };
    }),
  };
}

const placesOf = ({ of, planned }: Judged): readonly Place[] =>
  planned?.parts ?? claimOnRespawns(of);
