import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../../i18n.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import type { Profile } from '../../../state/saved-sessions.ts';
import { Alert, FailedLoad } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import styles from './calendar.module.css';
import { CalendarAddress } from './calendar-address.tsx';
import { type Calendar, useCalendar } from './use-calendar.ts';

/** The calendar of one of this browser's characters: to be made, read elsewhere, made anew, revoked. */
export function CharacterCalendar({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const calendar = useCalendar(profile);
  const { status, error, tryAgain } = calendar;
  return (
    <section className={styles.character} aria-labelledby={id}>
      <h3 id={id} className={styles.name}>
        {profile.characterName}
      </h3>
      {status === 'loading' ? (
        <Loading>
          <Skeleton height={38} />
        </Loading>
      ) : null}
      {status === 'failed' ? <FailedLoad sentence={t('calendar.loadFailed')} reason={errorText(error)} onTryAgain={tryAgain} /> : null}
      {status === 'ready' && calendar.made_at === null ? <NotMade calendar={calendar} /> : null}
      {status === 'ready' && calendar.made_at !== null ? (
        <Made calendar={calendar} made_at={calendar.made_at} name={profile.characterName} />
      ) : null}
    </section>
  );
}

/** The language in which the page is: the calendar's, too. */
function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === 'es' || i18n.language === 'pt' ? i18n.language : 'en';
}

function NotMade({ calendar }: { calendar: Calendar }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await calendar.make(language);
    } catch (error) {
      setFailure(errorText(error));
      setBusy(false);
    }
  };
  return (
    <>
      <p className={styles.text}>{t('calendar.none')}</p>
      {failure ? <Alert tone="bad">{failure}</Alert> : null}
      <div className={styles.actions}>
        <Button variant="primary" busy={busy} onClick={() => void make()}>
          {t('calendar.make')}
        </Button>
      </div>
    </>
  );
}

function Made({ calendar, made_at, name }: { calendar: Calendar; made_at: string; name: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const [asking, setAsking] = useState<'anew' | 'revoke' | null>(null);
  const date = new Date(made_at).toLocaleDateString(formatLocale(i18n.language), { dateStyle: 'medium' });
  return (
    <>
      {calendar.url === null ? (
        <p className={styles.text}>{t('calendar.made', { date })}</p>
      ) : (
        <CalendarAddress key={calendar.url} url={calendar.url} name={name} />
      )}
      <div className={styles.actions}>
        <Button small onClick={() => setAsking('anew')} aria-label={t('calendar.anew.name', { name })}>
          {t('calendar.anew.label')}
        </Button>
        <Button small variant="danger" onClick={() => setAsking('revoke')} aria-label={t('calendar.revoke.name', { name })}>
          {t('calendar.revoke.label')}
        </Button>
      </div>
      <ConfirmDialog
        open={asking === 'anew'}
        onOpenChange={() => setAsking(null)}
        title={t('calendar.anew.title', { name })}
        text={t('calendar.ends')}
        confirmLabel={t('calendar.anew.label')}
        onConfirm={() => calendar.make(language)}
        errorText={errorText}
        harmless
      />
      <ConfirmDialog
        open={asking === 'revoke'}
        onOpenChange={() => setAsking(null)}
        title={t('calendar.revoke.title', { name })}
        text={t('calendar.ends')}
        confirmLabel={t('calendar.revoke.confirm')}
        onConfirm={calendar.revoke}
        errorText={errorText}
      />
    </>
  );
}
