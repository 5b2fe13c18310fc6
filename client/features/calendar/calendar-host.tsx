import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { setCalendarOpen, useCalendarOpen } from '../../store/calendar-open.ts';
import { useSession } from '../../store/session-store.ts';

const CalendarDialog = lazyPart(async () => (await import('./calendar-dialog.tsx')).CalendarDialog);

/** The calendars of the characters of this browser, fetched when they are first asked for. */
export function CalendarHost(): ReactNode {
  const open = useCalendarOpen((state) => state.open);
  const profiles = useSession((session) => session.profiles);
  if (!open || profiles.length === 0) return null;
  return (
    <Suspense>
      <CalendarDialog profiles={profiles} onClose={() => setCalendarOpen(false)} />
    </Suspense>
  );
}
