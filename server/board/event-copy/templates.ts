import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { lastOfSeries, nextTimes } from '../../../shared/rules/next-event.ts';
import { clockOf, daysIn } from '../../../shared/rules/next-period.ts';
import { nextNames } from '../../../shared/rules/period-name.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { EventCopied } from '../../../shared/schemas/event-copy.ts';
import {
  type EventTemplate,
  type EventTemplateInput,
  eventTemplate,
  MAX_MADE_KEPT,
  MAX_TEMPLATES,
  type TemplateUse,
} from '../../../shared/schemas/event-template.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { serverSaveToday } from '../../db/clock/server-save-clock.ts';
import { type Db, inBatches, type Tx } from '../../db/database.ts';
import type { EventTemplatesTable } from '../../db/schema.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';
import { allEvents, findEvent } from '../records/guild.ts';
import { assertPeriod, type CopyPlan, makeCopy, previewCopy } from './event-copy.ts';

const ids = z.array(z.number());

const templateRecord = (row: Selectable<EventTemplatesTable>): EventTemplate => ({
  ...omit(row, 'name_key'),
  made_events: ids.parse(JSON.parse(row.made_events)),
});

/** In the order of creation. */
export async function allEventTemplates(db: Db | Tx): Promise<EventTemplate[]> {
  return (await db.selectFrom('event_templates').selectAll().orderBy('id').execute()).map(
    templateRecord,
  );
}

async function findEventTemplate(db: Db | Tx, id: number): Promise<EventTemplate | null> {
  const row = await db
    .selectFrom('event_templates')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? templateRecord(row) : null;
}

/**
 * Stores an event as a template.
 * @throws DomainError event.notFound, template.exists, template.tooMany
 */
export function createEventTemplate(
  ctx: Writing,
  admin: Admin,
  { event_id, name, ...input }: EventTemplateInput,
): Promise<EventTemplate> {
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const event = existing(await findEvent(tx, event_id), 'event.notFound');
    const known = await tx.selectFrom('event_templates').select(['name', 'name_key']).execute();
    const other = known.find(({ name_key }) => name_key === nameKey(name));
    if (other) throw new DomainError('template.exists', { name: other.name });
    if (known.length >= MAX_TEMPLATES)
      throw new DomainError('template.tooMany', { max: MAX_TEMPLATES });
    const { type, single_claim_template, start_time, end_time } = event;
    const { id } = await tx
      .insertInto('event_templates')
      .values({
        name,
        name_key: nameKey(name),
        type,
        single_claim_template,
        days: daysIn(event),
        start_clock: clockOf(start_time),
        end_clock: clockOf(end_time),
        weekday: input.weekday ?? null,
        claims: input.claims ?? 'none',
        made_events: JSON.stringify([event_id]),
        created_at: ctx.now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const template = existing(await findEventTemplate(tx, id), 'template.notFound');
    changes.put({ kind: 'event_template', record: template });
    await logActivity(unit, admin, {
      action: 'event_template_created',
      details: { template_id: id, name },
    });
    return template;
  });
}

/** @throws DomainError template.notFound */
export async function deleteEventTemplate(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const { name } = existing(await findEventTemplate(tx, id), 'template.notFound');
    await tx.deleteFrom('event_templates').where('id', '=', id).execute();
    changes.remove('event_template', id);
    await logActivity(unit, admin, {
      action: 'event_template_deleted',
      details: { template_id: id, name },
    });
  });
}

/**
 * Creates the next event of a template, or previews it, with the previous event's claims if the request says so.
 * @throws DomainError template.notFound, template.movedOn; event.tooManyToCopy and the refusals of a copy
 */
export async function applyEventTemplate(
  ctx: Writing,
  admin: Admin,
  { id, after, preview }: TemplateUse & { id: number },
): Promise<EventCopied> {
  const readPlan = async (db: Db | Tx): Promise<CopyPlan> => {
    const template = existing(await findEventTemplate(db, id), 'template.notFound');
    const last = lastOfSeries(template, await allEvents(db));
    if (after !== undefined && (after ?? null) !== (last?.id ?? null))
      throw new DomainError('template.movedOn');
    const period = nextTimes(template, last, serverSaveToday(ctx));
    assertPeriod(period);
    const { type, single_claim_template, claims } = template;
    const name = await freeName(db, nextNames(template.name, period, last));
    return {
      input: { name, type, single_claim_template, ...period },
      source: last,
      wanted: last ? claims : 'none',
      template: template.name,
    };
  };
  return preview
    ? previewCopy(ctx, readPlan)
    : makeCopy(ctx, admin, { readPlan, also: (unit, event) => remember(unit, id, event) });
}

/** Names looked up with one statement: the first one is nearly always free. */
const NAMES_AT_ONCE = 10;

/** The first name that no event has. */
async function freeName(db: Db | Tx, names: Iterable<string>): Promise<string> {
  for (const some of inBatches(names, NAMES_AT_ONCE)) {
    const rows = await db
      .selectFrom('events')
      .select('name_key')
      .where('name_key', 'in', some.map(nameKey))
      .execute();
    const taken = new Set(rows.map(({ name_key }) => name_key));
    const free = some.find((name) => !taken.has(nameKey(name)));
    if (free !== undefined) return free;
  }
  throw new Error('there is always another name');
}

async function remember({ tx, changes }: Unit, id: number, event: Event): Promise<void> {
  const { made_events } = existing(await findEventTemplate(tx, id), 'template.notFound');
  const made = [...made_events, event.id].slice(-MAX_MADE_KEPT);
  await tx
    .updateTable('event_templates')
    .set({ made_events: JSON.stringify(made) })
    .where('id', '=', id)
    .execute();
  changes.put({
    kind: 'event_template',
    record: existing(await findEventTemplate(tx, id), 'template.notFound'),
  });
}

export const eventTemplateRecords = recordSource('event_template', {
  schema: eventTemplate,
  read: ({ tx }) => allEventTemplates(tx),
  order: oldestFirst,
});
