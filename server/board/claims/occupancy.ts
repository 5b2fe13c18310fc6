import { hoursIn } from '../../../shared/rules/hours.ts';
import type { PlannedPart } from '../../../shared/rules/submission.ts';
import { breathe, inBatches, ROWS_A_STATEMENT } from '../../db/batches.ts';
import type { OccupiedDaysTable, OccupiedHoursTable } from '../../db/claim-tables.ts';
import type { Tx } from '../../db/open.ts';
import { type BoundRows, preparedRows } from '../../db/prepared.ts';

/** A stored claim and what it holds. */
export interface Occupation {
  claim_id: number;
  character_key: string;
  parts: readonly PlannedPart[];
  dates: readonly string[];
}

/** What the occupation of a claim ran into: an hour of a respawn, or a day of its character. */
export type Collision = { claim_id: number; date: string } & ({ of: 'hour'; part: PlannedPart } | { of: 'day' });

// One row after the other: the claims of an event that lasts a year have millions.
export function* daysOf(occupations: readonly Occupation[]): Generator<OccupiedDaysTable> {
  for (const { claim_id, character_key, dates } of occupations) for (const date of dates) yield { character_key, date, claim_id };
}
export function* hoursOf(occupations: readonly Omit<Occupation, 'character_key'>[]): Generator<OccupiedHoursTable> {
  for (const { claim_id, parts, dates } of occupations)
    for (const part of parts)
      for (const date of dates) for (const hour of hoursIn(part)) yield { respawn_id: part.respawn_id, date, hour, claim_id };
}

/**
 * Writes the rows that make double booking impossible (R7.1, R7.2): their primary keys hold it, whatever was
 * checked before. A row that is taken is left alone, so that PostgreSQL's transaction stays usable for saying
 * what is in the way; the caller must then throw.
 * @returns the first collision, or null
 */
export async function occupy(tx: Tx, occupations: readonly Occupation[]): Promise<Collision | null> {
  for await (const { claim_id, date } of takenDays(tx, daysOf(occupations))) return { of: 'day', claim_id, date };
  return occupyHours(tx, occupations);
}

/** As `occupy`, for claims that go on holding their days. */
export async function occupyHours(tx: Tx, occupations: readonly Omit<Occupation, 'character_key'>[]): Promise<Collision | null> {
  for await (const { claim_id, respawn_id, date, hour } of takenHours(tx, hoursOf(occupations))) {
    const parts = occupations.find((each) => each.claim_id === claim_id)?.parts;
    const part = parts?.find((each) => each.respawn_id === respawn_id && hoursIn(each).includes(hour));
    if (part) return { of: 'hour', claim_id, part, date };
  }
  return null;
}

/** Writes days, a statement for some thousand. Yields those that others hold. */
export async function* takenDays(tx: Tx, days: Iterable<OccupiedDaysTable>): AsyncGenerator<OccupiedDaysTable> {
  for (const batch of inBatches(days)) {
    const inserted = await insertDays(tx, batch);
    if (batch.length === ROWS_A_STATEMENT) await breathe();
    if (inserted.length === batch.length) continue;
    const got = new Set(inserted.map((row) => `${row.date} ${row.character_key}`));
    yield* batch.filter(({ date, character_key }) => !got.has(`${date} ${character_key}`));
  }
}

/** Writes hours, a statement for some thousand. Yields those that others hold. */
export async function* takenHours(tx: Tx, hours: Iterable<OccupiedHoursTable>): AsyncGenerator<OccupiedHoursTable> {
  for (const batch of inBatches(hours)) {
    const inserted = await insertHours(tx, batch);
    if (batch.length === ROWS_A_STATEMENT) await breathe();
    if (inserted.length === batch.length) continue;
    const got = new Set(inserted.map((row) => `${row.respawn_id} ${row.date} ${row.hour}`));
    yield* batch.filter(({ respawn_id, date, hour }) => !got.has(`${respawn_id} ${date} ${hour}`));
  }
}

const insertDays = preparedRows((tx, rows: BoundRows<OccupiedDaysTable>) =>
  tx
    .insertInto('occupied_days')
    .values(rows.map((bound) => ({ character_key: bound('character_key'), date: bound('date'), claim_id: bound('claim_id') })))
    .onConflict((row) => row.doNothing())
    .returning(['character_key', 'date'])
    .compile(),
);

const insertHours = preparedRows((tx, rows: BoundRows<OccupiedHoursTable>) =>
  tx
    .insertInto('occupied_hours')
    .values(
      rows.map((bound) => ({
        respawn_id: bound('respawn_id'),
        date: bound('date'),
        hour: bound('hour'),
        claim_id: bound('claim_id'),
      })),
    )
    .onConflict((row) => row.doNothing())
    .returning(['respawn_id', 'date', 'hour'])
    .compile(),
);
