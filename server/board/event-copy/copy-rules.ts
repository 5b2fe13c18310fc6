import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { assertWithinBudget, lengthOf } from '../../../shared/rules/budget.ts';
import { timeConflict } from '../../../shared/rules/conflicts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { daysFrom, daysIn } from '../../../shared/rules/next-period.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import {
  lastOf,
  type PlannedClaim,
  planSubmission,
  type SubmissionFacts,
} from '../../../shared/rules/submission.ts';
import type { Claim, ClaimInput } from '../../../shared/schemas/claim.ts';
import type { Event, EventFacts } from '../../../shared/schemas/event.ts';
import {
  type ClaimsToCopy,
  MAX_CLAIMS_TO_COPY,
  MAX_DATES_TO_COPY,
  MAX_HOLDERS,
} from '../../../shared/schemas/event-copy.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import {
  CLAIM_BATCH_SIZE,
  inBatches,
  type Reading,
  type Tx,
  yieldToEventLoop,
} from '../../db/database.ts';
import { readPartFacts } from '../claims/claim-facts.ts';
import { loadClaims, loadClaimsInBatches } from '../claims/claim-records.ts';
import { memberTypeOrFallback } from '../records/members.ts';
import { type People, readPeople } from './claimants.ts';

/** A claim of the copied event, with the verdict on it. */
export interface Judged {
  claim: Claim;
  planned: PlannedClaim | null;
  refusal: DomainError | null;
  /** The first claims that hold the hours or dates it needs. */
  holders: number[];
}

export interface JudgedCopy {
  /** In the order of creation. */
  claims: Judged[];
  /** How many of the requested claims are no longer in the event. */
  gone: number;
}

interface CopyEvents {
  source: Event;
  /** The copy; a preview has the id of no event. */
  target: EventFacts;
}

/**
 * Which claims of an event are copied, by the rules of a submission: what an admin may submit for a current member, within the
 * budget, and not in the past. Storing them may still refuse one.
 * @throws DomainError event.tooManyToCopy
 */
export async function judgeCopy(
  ctx: Reading,
  tx: Tx,
  { source, target, wanted }: CopyEvents & { wanted: ClaimsToCopy },
): Promise<JudgedCopy> {
  const claims = await claimsToCopy(tx, source, wanted);
  const count = claims.length * datesEach(target);
  if (claims.length > MAX_CLAIMS_TO_COPY || count > MAX_DATES_TO_COPY)
    throw tooMany(claims.length, target);
  const judge = new CopyJudge(ctx, { source, target }, await readPeople(tx, claims));
  const primaries = claims.filter((claim) => !claim.is_secondary_claim);
  for (const some of inBatches(primaries, CLAIM_BATCH_SIZE)) await judge.primariesOf(tx, some);
  for (const some of inBatches(
    claims.filter((claim) => claim.is_secondary_claim),
    CLAIM_BATCH_SIZE,
  ))
    await judge.secondariesOf(tx, some);
  const gone = Array.isArray(wanted) ? new Set(wanted).size - claims.length : 0;
  return { claims: claims.map((claim) => judge.judged(claim)), gone };
}

const datesEach = (target: EventFacts): number =>
  target.type === 'single_claim' ? daysIn(target) : 1;

const tooMany = (count: number, target: EventFacts): DomainError =>
  new DomainError('event.tooManyToCopy', {
    count,
    max: Math.min(MAX_CLAIMS_TO_COPY, Math.floor(MAX_DATES_TO_COPY / datesEach(target))),
  });

/** A copy writes at most as many rows as this many claims. */
export const weightOf = (
  { claim_count }: Pick<Event, 'claim_count'>,
  target: EventFacts,
  wanted: ClaimsToCopy,
): number =>
  datesEach(target) * (wanted === 'none' ? 0 : wanted === 'all' ? claim_count : wanted.length);

/** Holds are not copied. */
async function claimsToCopy(
  tx: Tx,
  { id: event_id, claim_count }: Event,
  wanted: ClaimsToCopy,
): Promise<Claim[]> {
  if (wanted === 'none') return [];
  const found: Claim[] = [];
  if (wanted === 'all') {
    // Counted before loading. The count includes holds, but there are few.
    if (claim_count > 2 * MAX_CLAIMS_TO_COPY)
      throw new DomainError('event.tooManyToCopy', { count: claim_count, max: MAX_CLAIMS_TO_COPY });
    found.push(...(await loadClaimsInBatches(tx, { type: 'event', event_id })));
  } else {
    for (const ids of inBatches(new Set(wanted), CLAIM_BATCH_SIZE)) {
      found.push(...(await loadClaims(tx, { type: 'ids', ids })));
      await yieldToEventLoop();
    }
  }
  return found
    .filter((claim) => claim.event_id === event_id && !claim.is_held)
    .sort((one, other) => one.id - other.id);
}

class CopyJudge {
  readonly #ctx: Reading;
  readonly #target: EventFacts;
  /** In whole days: claims have server-save dates, which no change of daylight saving time shifts. */
  readonly #shift: number;
  readonly #people: People;
  readonly #types = new Map<string, MemberType>();
  readonly #judged = new Map<Claim, Judged>();
  /** Copied primary claims, by character and date. */
  readonly #primaries = new Map<string, Claim>();
  readonly #secondaries = new Set<string>();
  /** Hours in the copy, by character. */
  readonly #used = new Map<string, number>();

  constructor(ctx: Reading, { source, target }: CopyEvents, people: People) {
    this.#ctx = ctx;
    this.#target = target;
    this.#shift = daysFrom(eventDate(source.start_time), eventDate(target.start_time));
    this.#people = people;
  }

  judged(claim: Claim): Judged {
    const judged = this.#judged.get(claim);
    if (!judged) throw new Error('a claim was not judged');
    return judged;
  }

  async primariesOf(tx: Tx, claims: readonly Claim[]): Promise<void> {
    const planned = await this.#plan(tx, claims, (claim) => [claim]);
    const facts = Map.groupBy(await readPartFacts(tx, [...planned.keys()]), ({ claim }) => claim);
    const refusalNaming = [...planned.keys()].filter((plan) =>
      facts.get(plan)?.some(({ taken_on, held_on }) => taken_on !== null || held_on !== null),
    );
    const collisions = await collisionsOf(tx, refusalNaming, this.#ctx.now().toISOString());
    for (const [plan, claim] of planned) {
      const refusal =
        unusable(facts.get(plan) ?? []) ??
        collisions.get(plan)?.why ??
        this.#twice(claim) ??
        (await this.#budget(tx, claim, plan));
      this.#judged.set(claim, {
        claim,
        planned: plan,
        refusal,
        holders: collisions.get(plan)?.holders ?? [],
      });
      if (!refusal) this.#primaries.set(this.#dayOf(claim), claim);
    }
    await yieldToEventLoop();
  }

  /** Secondary claims are copied only with the primary claim of their character and date. */
  async secondariesOf(tx: Tx, claims: readonly Claim[]): Promise<void> {
    const planned = await this.#plan(tx, claims, (claim) => [
      ...(this.#primaryOf(claim) ?? []),
      claim,
    ]);
    const facts = Map.groupBy(await readPartFacts(tx, [...planned.keys()]), ({ claim }) => claim);
    for (const [plan, claim] of planned) {
      const day = this.#dayOf(claim);
      const refusal =
        unusable(facts.get(plan) ?? []) ??
        (this.#secondaries.has(day) ? new DomainError('claim.sameDateTwice', dateIn(plan)) : null);
      this.#judged.set(claim, { claim, planned: plan, refusal, holders: [] });
      if (!refusal) this.#secondaries.add(day);
    }
    await yieldToEventLoop();
  }

  #primaryOf(claim: Claim): [Claim] | null {
    const primary = this.#primaries.get(this.#dayOf(claim));
    return primary ? [primary] : null;
  }

  /** Plans each claim as the last one of the submission that `submitted` returns. A refusal is its verdict. */
  async #plan(
    tx: Tx,
    claims: readonly Claim[],
    submitted: (claim: Claim) => Claim[],
  ): Promise<Map<PlannedClaim, Claim>> {
    const planned = new Map<PlannedClaim, Claim>();
    for (const claim of claims) {
      const refused = this.#people.refusalOf(claim);
      try {
        if (refused) throw new DomainError(refused, { character_name: claim.character_name });
        const facts = await this.#facts(tx, claim);
        const plan = planSubmission(
          submitted(claim).map((one) => this.#inputOf(one)),
          facts,
        ).at(-1);
        if (plan) planned.set(plan, claim);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        this.#judged.set(claim, { claim, planned: null, refusal: error, holders: [] });
      }
    }
    return planned;
  }

  /** An admin's submission of the claim today, with the member type that its holder has now. */
  async #facts(tx: Tx, claim: Claim): Promise<SubmissionFacts> {
    const { date: today, hour } = serverSaveNow(this.#ctx);
    return {
      // Admins may submit while submission is closed and for any type, but hours in the past are never copied.
      submitter: { role: 'admin', may_enter_past: false },
      member_type: await this.#typeOf(tx, claim),
      submission_enabled: 1,
      pause: null,
      active_event: this.#target,
      today,
      hour,
      horizon_days: this.#ctx.env.HORIZON_DAYS,
      clock: serverSaveClock(this.#ctx),
    };
  }

  async #typeOf(tx: Tx, claim: Claim): Promise<MemberType> {
    const name = this.#people.keyOf(claim)?.member_type ?? claim.member_type;
    const type = this.#types.get(name) ?? (await memberTypeOrFallback(tx, name));
    this.#types.set(name, type);
    return type;
  }

  #inputOf(claim: Claim): ClaimInput {
    const { respawn_id, hour_start, hour_end, is_secondary_claim, is_split_claim, split_parts } =
      claim;
    return {
      respawn_id,
      hour_start,
      hour_end,
      is_secondary_claim,
      is_split_claim,
      split_parts,
      character_name: this.#people.keyOf(claim)?.character_name ?? claim.character_name,
      date: this.#dateOf(claim),
      event_id: this.#target.id,
    };
  }

  #dateOf({ date }: Claim): string | null {
    return date === null ? null : addDays(date, this.#shift);
  }

  #dayOf = (claim: Claim): string => `${claim.date} ${nameKey(claim.character_name)}`;

  /** Two primary claims of one character on one date, from when names were compared by spelling. */
  #twice(claim: Claim): DomainError | null {
    if (!this.#primaries.has(this.#dayOf(claim))) return null;
    const date = this.#dateOf(claim);
    return new DomainError('claim.sameDateTwice', date === null ? {} : { date });
  }

  /** R9.27, R9.28: as if the members submitted their claims to the new event one after the other. */
  async #budget(tx: Tx, claim: Claim, { dates, parts }: PlannedClaim): Promise<DomainError | null> {
    const character = nameKey(claim.character_name);
    const hours = lengthOf(parts);
    const used = this.#used.get(character) ?? 0;
    try {
      assertWithinBudget([{ dates, hours }], await this.#typeOf(tx, claim), { used });
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
    this.#used.set(character, used + hours * dates.length);
    return null;
  }
}

const dateIn = ({ date }: PlannedClaim): { date?: string } => (date === null ? {} : { date });

/** R4.10: a deleted or disabled respawn takes no claims. */
function unusable(facts: Awaited<ReturnType<typeof readPartFacts>>): DomainError | null {
  for (const { part, respawn } of facts) {
    if (!respawn) return new DomainError('respawn.notFound', { respawn_id: part.respawn_id });
    if (!respawn.is_enabled)
      return new DomainError('respawn.disabled', { respawn_name: respawn.name });
  }
  return null;
}

/** Parts looked up with one statement. */
const PARTS_A_STATEMENT = 100;

/** Why a claim is in conflict, and the ids of the first claims that cause it. */
interface Collision {
  why: DomainError;
  holders: number[];
}

interface Row {
  nth: number;
  is_day: number;
  claim_id: number;
  date: string;
  character_name: string;
  held_until: string | null;
}

/**
 * Claims that hold the hours that some claims need, or other hours of their characters on those dates, so that a submission would be
 * refused (R4.6, R4.7). Expired holds don't count (R9.8).
 * @param claims those for which `readPartFacts` found a conflict
 */
async function collisionsOf(
  tx: Tx,
  claims: readonly PlannedClaim[],
  now: string,
): Promise<Map<PlannedClaim, Collision>> {
  const collisions = new Map<PlannedClaim, Collision>();
  const parts = claims.flatMap((claim) => claim.parts.map((part) => ({ claim, part })));
  for (const batch of inBatches(parts, PARTS_A_STATEMENT)) {
    const found = Map.groupBy(await inTheWayOf(tx, batch, now), ({ nth }) => nth);
    for (const [nth, { claim, part }] of batch.entries()) {
      const rows = found.get(nth) ?? [];
      const before = collisions.get(claim);
      const day = rows.find(({ is_day }) => is_day);
      const hour = rows.find(({ is_day, held_until }) => !is_day && held_until);
      const [first] = rows;
      if (!first) continue;
      const holders = [
        ...new Set([...(before?.holders ?? []), ...rows.map(({ claim_id }) => claim_id)]),
      ].slice(0, MAX_HOLDERS);
      const why =
        before?.why ??
        (day
          ? dayTaken(claim, day)
          : hour
            ? held(hour, part.hour_start)
            : timeConflict(claim, part, first.date));
      collisions.set(claim, { why, holders });
    }
    await yieldToEventLoop();
  }
  return collisions;
}

function dayTaken(
  { requested_start, character_name }: PlannedClaim,
  { date, held_until }: Row,
): DomainError {
  return held_until === null
    ? new DomainError('claim.characterHasClaim', { date, hour: requested_start, character_name })
    : new DomainError('hold.isYours', { date, character_name, held_until });
}

const held = ({ character_name, held_until, date }: Row, hour: number): DomainError =>
  new DomainError('hold.taken', { character_name, held_until, date, hour });

type Batch = readonly { claim: PlannedClaim; part: PlannedClaim['parts'][number] }[];

/** A row for each claim that conflicts with a part, with the first date of the conflict. */
async function inTheWayOf(tx: Tx, batch: Batch, now: string): Promise<Row[]> {
  const wanted = batch.map(({ claim, part: { respawn_id, hour_start, hour_end } }, nth) => {
    const numbers = [nth, respawn_id, hour_start, hour_end].map(
      (number) => sql`cast(${number} as integer)`,
    );
    const first = claim.dates.reduce((a, b) => (a < b ? a : b));
    return sql`(${sql.join(numbers)}, ${nameKey(claim.character_name)}, ${first}, ${lastOf(claim)})`;
  });
  const { rows } = await sql<Row>`
    with wanted (nth, respawn_id, hour_start, hour_end, character_key, first_date, last_date) as (values ${sql.join(wanted)}),
    found as (
      select wanted.nth, 1 as is_day, occupied_days.claim_id, min(occupied_days.date) as date from wanted
        join occupied_days on occupied_days.character_key = wanted.character_key
          and occupied_days.date between first_date and last_date
        group by wanted.nth, occupied_days.claim_id
      union all
      select wanted.nth, 0 as is_day, occupied_hours.claim_id, min(occupied_hours.date) as date from wanted
        join occupied_hours on occupied_hours.respawn_id = wanted.respawn_id
          and occupied_hours.date between first_date and last_date and hour >= hour_start and hour < hour_end
        group by wanted.nth, occupied_hours.claim_id
    )
    select nth, is_day, found.claim_id, found.date, character_name, held_until from found
      join claims on claims.id = found.claim_id
      where held_until is null or held_until > ${now}
      order by nth, is_day desc, found.date, found.claim_id`.execute(tx);
  return rows;
}
