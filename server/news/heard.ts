import type { NewsType } from '../../shared/schemas/news.ts';
import type { Tx } from '../db/open.ts';
import { eventsOf } from '../destinations/queries.ts';

/** Notes, in the row that every write reads, which news anybody hears: where nobody does, none is made. */
export async function noteHeard(tx: Tx): Promise<void> {
  const heard = new Set<NewsType>();
  const listening = await tx.selectFrom('destinations').select('events').where('is_enabled', '=', 1).execute();
  for (const destination of listening) for (const type of eventsOf(destination)) heard.add(type);
  await tx
    .updateTable('clock')
    .set({ heard: heard.size === 0 ? null : [...heard].sort().join(' ') })
    .execute();
}
