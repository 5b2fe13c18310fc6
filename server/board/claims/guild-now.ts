import type { EventFacts } from '../../../shared/schemas/event.ts';
import type { Db, Tx } from '../../db/open.ts';
import { prepared } from '../../db/prepared.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveToday } from '../config/clock.ts';
import { isActive } from '../events/queries.ts';

/** The state of the guild by which claims are judged and shown. */
export interface GuildNow {
  active_event: EventFacts | null;
  /**
   * The day that has begun on the board, not yet the one on the wall: what is read at one clock of the board is the
   * same whenever it is read, or a time that leaps over the server save and back would leave boards that nobody sets right.
   */
  today: string;
  submission_enabled: number;
  release_enabled: number;
  confirm_enabled: number;
  grace_minutes: number;
}

/** All of it in one statement. */
export async function readGuildNow(ctx: Pick<Writing, 'env' | 'now'>, db: Db | Tx): Promise<GuildNow> {
  const [row] = await guildNow(db, {});
  if (!row) throw new Error('the guild has no row');
  const { id, type, start_time, end_time, board_date, ...settings } = row;
  const isEvent = id !== null && type !== null && start_time !== null && end_time !== null;
  return {
    active_event: isEvent ? { id, type, start_time, end_time } : null,
    today: board_date || serverSaveToday(ctx),
    ...settings,
  };
}

const guildNow = prepared((db) =>
  db
    .selectFrom('clock')
    .innerJoin('config', (join) => join.onTrue())
    .leftJoin('events', (join) => join.on(isActive))
    .select(['events.id', 'type', 'start_time', 'end_time', 'board_date'])
    .select(['submission_enabled', 'release_enabled', 'confirm_enabled', 'grace_minutes'])
    .compile(),
);
