import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
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
import { type Writing, writeMany } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { type ClaimChange, loadClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, type ClaimWrite, manyClaimsChanged } from '../claims/claims-changed.ts';
import { occupiedRows } from '../claims/occupancy.ts';
import { storeClaims } from '../claims/store-claims.ts';
import { insertEvent, switchEvent } from '../events/events.ts';
import { findEvent, putEvent } from '../records/guild.ts';
import { authorizedCharacters } from '../records/members.ts';
import { findRespawnLabels } from '../records/respawns.ts';
import { type Judged, type JudgedCopy, judgeCopy, weightOf } from './copy-rules.ts';

/** The event id of a preview. */
const NO_EVENT = 0;

/** The new event, and which event it copies. */
interface CopyPlan {
  input: EventInput;
  source: Event;
  wanted: ClaimsToCopy;
}

/** Reads the request, in the transaction that judges it. */
type ReadPlan = (db: Db | Tx) => Promise<CopyPlan>;

/**
 * Creates an event like another one on other dates, or previews it. Claims that may be copied are shifted by as many days as the
 * event's start.
 * @throws DomainError event.notFound, event.nameExists, event.endBeforeStart, event.tooLong, event.timesRequired, event.tooManyToCopy
 */
export async function copyEvent(
  ctx: Writing,
  admin: Admin,
  { id, ...request }: EventCopy & { id: number },
): Promise<EventCopied> {
  const readPlan: ReadPlan = async (db) => {
    const source = existing(await findEvent(db, id), 'event.notFound');
    const { name, claims: wanted } = request;
    const { type, single_claim_template } = source;
    return {
      input: { name, type, single_claim_template, ...periodOf(source, request) },
      source,
      wanted,
    };
  };
  return request.preview
    ? previewCopy(ctx, readPlan)
    : makeCopy(ctx, admin, { readPlan, activate: request.activate });
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
function assertPeriod(period: EventPeriod): void {
  if (![period.start_time, period.end_time].every((time) => eventTime.safeParse(time).success))
    throw new DomainError('event.timesRequired');
  const refusal = periodRefusal(period);
  if (refusal) throw new DomainError(refusal);
}

function previewCopy(ctx: Writing, readPlan: ReadPlan): Promise<EventCopied> {
  return readOneState(ctx, async (tx) => {
    const plan = await readPlan(tx);
    const judged = await judgePlan(ctx, tx, { ...plan, id: NO_EVENT });
    return copiedAnswer(tx, plan, { judged, event: null });
  });
}

interface Copying {
  /** Reads the request, in the transaction that judges it. */
  readPlan: ReadPlan;
  activate?: boolean | undefined;
}

/** Judges the request and stores the copy. */
async function makeCopy(
  ctx: Writing,
  admin: Admin,
  { readPlan, activate = false }: Copying,
): Promise<EventCopied> {
  const { source, input, wanted } = await readPlan(ctx.db);
  const weight = weightOf(source, factsOf(input, NO_EVENT), wanted);
  return writeMany(ctx, occupiedRows(weight), async (unit) => {
    const { tx } = unit;
    const plan = await readPlan(tx);
    const made = await insertEvent(unit, plan.input);
    const judged = await judgePlan(ctx, tx, { ...plan, id: made.id });
    const coming = judged.claims.filter(({ refusal }) => refusal === null);
    await storeCopies(await beginClaimWrite(unit, admin), coming, made);
    if (activate) await switchEvent(unit, admin, { id: made.id, active: true });
    const event = (await findEvent(tx, made.id)) ?? made;
    if (coming.length === 0 && !activate) putEvent(unit.changes, event);
    const answer = await copiedAnswer(tx, plan, { judged, event });
    const { id: event_id, name, type, start_time, end_time } = event;
    await logActivity(unit, admin, {
      action: 'event_copied',
      details: {
        event_id,
        name,
        type,
        start_time,
        end_time,
        claim_count: answer.copied,
        copied_from: plan.source.name,
        left_out: answer.left_out + answer.gone,
      },
    });
    return answer;
  });
}

const factsOf = ({ type, start_time, end_time }: EventInput, id: number): EventFacts => ({
  id,
  type,
  start_time,
  end_time,
});

/** @param id of the new event */
async function judgePlan(
  ctx: Writing,
  tx: Tx,
  { input, source, wanted, id }: CopyPlan & { id: number },
): Promise<JudgedCopy> {
  return judgeCopy(ctx, tx, { source, target: factsOf(input, id), wanted });
}

const dateIn = ({ source, input }: CopyPlan, { date }: Claim): string | null =>
  date === null
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

type Hours = Pick<PlannedClaim['parts'][number], 'respawn_id' | 'hour_start' | 'hour_end'>;

interface Copied {
  judged: JudgedCopy;
  /** The new event; null for a preview, which lists every requested claim. */
  event: Event | null;
}

async function copiedAnswer(
  tx: Tx,
  plan: CopyPlan,
  { judged: { claims, gone }, event }: Copied,
): Promise<EventCopied> {
  const { start_time, end_time } = event ?? plan.input;
  const left = claims.filter(({ refusal }) => refusal !== null);
  const listed = event ? left : claims;
  const holders = new Map<number, Claim>();
  for (const claim of await loadClaims(tx, {
    type: 'ids',
    ids: [...new Set(listed.flatMap((each) => each.holders))],
  }))
    holders.set(claim.id, claim);
  const spots = [...listed.flatMap(hoursOf), ...[...holders.values()].flatMap(claimOnRespawns)].map(
    ({ respawn_id }) => respawn_id,
  );
  const names = await findRespawnLabels(tx, new Set(spots));
  const named = ({ respawn_id, hour_start, hour_end }: Hours) => ({
    respawn_id,
    respawn_name: names.get(respawn_id)?.name ?? '',
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
      const { id, is_secondary_claim, is_split_claim } = judged.claim;
      const { character_name, member_type } = judged.planned ?? judged.claim;
      return {
        id,
        character_name,
        member_type,
        is_secondary_claim,
        is_split_claim,
        date: dateIn(plan, judged.claim),
        places: hoursOf(judged).map(named),
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
            .map((place) => ({ character_name, date, held_until, ...omit(place, 'respawn_id') }));
        }),
      };
    }),
  };
}

const hoursOf = ({ claim, planned }: Judged): readonly Hours[] =>
  planned?.parts ?? claimOnRespawns(claim);
