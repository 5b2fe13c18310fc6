import { useEffect, useState } from 'react';
import type { ArchivedEvent } from '../../../shared/schemas/archive.ts';
import { MAX_PAGE } from '../../../shared/schemas/fields.ts';
import { getArchivedEvents } from '../../api/calls.ts';
import { useSession } from '../../state/session-store.ts';

/** The events that left for the archive, which admins alone know of: the latest, as many as one page has. */
export function useArchivedEvents(): readonly ArchivedEvent[] {
  const isAdmin = useSession((session) => session.admin !== null);
  const [archived, setArchived] = useState<readonly ArchivedEvent[]>([]);
  useEffect(() => {
    if (!isAdmin) return;
    const abort = new AbortController();
    getArchivedEvents({ limit: MAX_PAGE }, abort.signal).then(
      ({ records }) => !abort.signal.aborted && setArchived(records),
      // Without them there is still every range of dates to choose.
      () => {},
    );
    return () => abort.abort();
  }, [isAdmin]);
  return isAdmin ? archived : [];
}
