import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { withdrawWait } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { refreshBoard } from '../../../live/refresh.ts';
import type { Profile } from '../../../state/saved-sessions.ts';
import { useSession } from '../../../state/session-store.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { showToast } from '../../../ui/toast.tsx';
import styles from './wait.module.css';

export interface WaitEntriesProps {
  /** Who waits on one spot and date, in their order. */
  line: readonly Wait[];
  date: string;
}

/** The first wait of the line that is a character's of this browser. */
export function useJustOwn(line: readonly Wait[]): Wait | undefined {
  const profiles = useSession((session) => session.profiles);
  return line.find((wait) => profileOf(wait, profiles));
}

const profileOf = ({ character_name }: Wait, profiles: readonly Profile[]): Profile | undefined =>
  profiles.find(({ characterName }) => nameKey(characterName) === nameKey(character_name));

/** The line: its places, and one's own, which can be left. */
export function WaitEntries({ line, date }: WaitEntriesProps): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  return (
    <ol className={styles.entries}>
      {line.map((wait) => {
        const profile = profileOf(wait, profiles);
        return (
          <li key={wait.id} className={classes(styles.entry, profile && styles.mine)}>
            <span className={styles.place}>{wait.position}.</span>
            <HoursText date={date} start={wait.hour_start} end={wait.hour_end} className={styles.hours} />
            <span className={styles.name}>{wait.character_name}</span>
            {profile ? <span className={styles.you}>{t('board.you')}</span> : null}
            {wait.status === 'offered' ? <span className={styles.asked}>{t('board.wait.asked')}</span> : null}
            {profile && wait.status === 'waiting' ? <LeaveButton wait={wait} profile={profile} /> : null}
          </li>
        );
      })}
    </ol>
  );
}

function LeaveButton({ wait, profile }: { wait: Wait; profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const leave = async (): Promise<void> => {
    setBusy(true);
    try {
      await withdrawWait(wait.id, profile.accessKey);
      showToast({ tone: 'plain', text: t('board.wait.left') });
    } catch (error) {
      setBusy(false);
      showToast({ tone: 'bad', text: errorText(error) });
    } finally {
      refreshBoard();
    }
  };
  return (
    <Button small variant="quiet" busy={busy} onClick={() => void leave()}>
      {t('board.wait.leave')}
    </Button>
  );
}
