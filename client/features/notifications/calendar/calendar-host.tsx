import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { setCalendarOpen, useCalendarOpen } from '../../../state/calendar-open.ts';
import { useSession } from '../../../state/session-store.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { SayMissing } from '../../../ui/part-missing.tsx';

const CalendarDialog = lazyPart(async () => (await import('./calendar-dialog.tsx')).CalendarDialog);

const close = (): void => setCalendarOpen(false);

/** The calendars of the characters of this browser, fetched when they are first asked for. */
export function CalendarHost(): ReactNode {
  const { t } = useTranslation();
  const open = useCalendarOpen((state) => state.open);
  const profiles = useSession((session) => session.profiles);
  if (!open || profiles.length === 0) return null;
  return (
    <Boundary instead={() => <SayMissing text={t('calendar.failed')} onSaid={close} />}>
      <Suspense>
        <CalendarDialog profiles={profiles} onClose={close} />
      </Suspense>
    </Boundary>
  );
}
