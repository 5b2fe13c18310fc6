import { type ServerSaveClock, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { Ending } from '../../shared/schemas/ending.ts';

/** The server-save date that a claim was for; of a claim for a whole event the one on which it ended. */
export const dayOfEnding = ({ date, ended_at }: Pick<Ending, 'date' | 'ended_at'>, clock: ServerSaveClock): string =>
  date ?? serverSaveTime(new Date(ended_at), clock).date;
