import { sql } from 'kysely';
import { ACTIVITY_ACTIONS } from '../../shared/activity-actions.ts';

/**
 * An entry of an action that is known here: a reader skips the others. Named so it is no reason to look in the index of
 * actions, since nearly every entry is known: they are read in their order, and those few passed over.
 */
export const IS_KNOWN = sql<boolean>`action || '' in (${sql.join(ACTIVITY_ACTIONS.map((action) => sql.lit(action)))})`;
