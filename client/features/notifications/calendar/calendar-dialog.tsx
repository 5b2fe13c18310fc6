import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { CALENDAR_DAYS } from '../../../../shared/calendar-days.ts';
import { useSession } from '../../../state/session-store.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import styles from './calendar.module.css';
import { CharacterCalendar } from './character-calendar.tsx';

const PROGRAMS = ['google', 'apple', 'outlook'] as const;

/** A calendar for each character of this browser: its secret address, and how programs are told of it. */
export function CalendarDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  const isSignedIn = profiles.length > 0;
  useEffect(() => {
    if (!isSignedIn) onClose();
  }, [isSignedIn, onClose]);
  return (
    <Dialog open onOpenChange={onClose} title={t('calendar.title')} description={t('calendar.about', CALENDAR_DAYS)}>
      {profiles.map((profile) => (
        <CharacterCalendar key={profile.accessKey} profile={profile} />
      ))}
      <section className={styles.how} aria-labelledby="calendar-how">
        <h3 id="calendar-how" className={styles.name}>
          {t('calendar.how.title')}
        </h3>
        <dl className={styles.programs}>
          {PROGRAMS.map((program) => (
            <div key={program}>
              <dt>{t(`calendar.how.${program}.name`)}</dt>
              <dd>{t(`calendar.how.${program}.text`)}</dd>
            </div>
          ))}
        </dl>
        <p>{t('calendar.lag')}</p>
      </section>
    </Dialog>
  );
}
