import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { EventTemplate } from '../../../shared/schemas/event-template.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { EventTemplatesTable } from '../../db/schema.ts';

const ids = z.array(z.number());

function present({ name_key: _, made_events, ...row }: Selectable<EventTemplatesTable>): EventTemplate {
  return { ...row, made_events: ids.parse(JSON.parse(made_events)) };
}

/** In the order in which they were made. */
export async function allEventTemplates(db: Db | Tx): Promise<EventTemplate[]> {
  return (await db.selectFrom('event_templates').selectAll().orderBy('id').execute()).map(present);
}

export async function findEventTemplate(db: Db | Tx, id: number): Promise<EventTemplate | null> {
  const row = await db.selectFrom('event_templates').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}
