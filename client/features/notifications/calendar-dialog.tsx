import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CALENDAR_DAYS } from '../../../shared/calendar-days.ts';
import type { CalendarState } from '../../../shared/schemas/calendar.ts';
import { deleteCalendar, getCalendar, postCalendar } from '../../api/calls.ts';
import { replaceAnswer, useServerQuery } from '../../api/query.ts';
import type { Language } from '../../i18n.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useInstantText } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { confirm } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert, FailedLoad } from '../../ui/alert.tsx';
import { Boundary } from '../../ui/boundary.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { useCopy } from '../../ui/copyable-code.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { CheckIcon, CopyIcon } from '../../ui/icons.tsx';
import { Cluster, Stack } from '../../ui/layout.tsx';
import { LocalAddressNote } from '../../ui/local-address-note.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './character-dialogs.module.css';

const PROGRAMS = ['google', 'apple', 'outlook'] as const;

/** The calendar feeds of this browser's characters, and how to add them to calendar programs. */
export function CalendarDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  const isSignedIn = profiles.length > 0;
  useEffect(() => {
    if (!isSignedIn) onClose();
  }, [isSignedIn, onClose]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('calendar.title')}
      description={t('calendar.about', CALENDAR_DAYS)}
    >
      {profiles.map((profile) => (
        <CharacterCalendar key={profile.accessKey} profile={profile} />
      ))}
      <Stack as="section" gap={2} className="muted" aria-labelledby="calendar-how">
        <h3 id="calendar-how" className={styles.name}>
          {t('calendar.how.title')}
        </h3>
        <Stack as="dl" gap={2} className={styles.programs}>
          {PROGRAMS.map((program) => (
            <div key={program}>
              <dt>{t(`calendar.how.${program}.name`)}</dt>
              <dd>{t(`calendar.how.${program}.text`)}</dd>
            </div>
          ))}
        </Stack>
        <p>{t('calendar.delay')}</p>
      </Stack>
    </Dialog>
  );
}

/** The calendar feed of a character: create it, renew its address, revoke it. */
function CharacterCalendar({ profile }: { profile: Profile }): ReactNode {
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
      {status === 'failed' ? (
        <FailedLoad
          sentence={t('calendar.loadFailed')}
          reason={errorText(error)}
          onTryAgain={tryAgain}
        />
      ) : null}
      {status === 'ready' && calendar.made_at === null ? <NotMade calendar={calendar} /> : null}
      {status === 'ready' && calendar.made_at !== null ? (
        <Made calendar={calendar} made_at={calendar.made_at} name={profile.characterName} />
      ) : null}
    </section>
  );
}

/** The page's language, which the calendar gets. */
function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === 'es' || i18n.language === 'pt' ? i18n.language : 'en';
}

function NotMade({ calendar }: { calendar: Calendar }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const make = useAction({ work: () => calendar.make(language) });
  return (
    <>
      <p className="muted">{t('calendar.none')}</p>
      {make.failure ? <Alert tone="bad">{errorText(make.failure)}</Alert> : null}
      <Cluster className={styles.actions}>
        <Button variant="primary" busy={make.isBusy} onClick={() => make.run()}>
          {t('calendar.create')}
        </Button>
      </Cluster>
    </>
  );
}

function Made({
  calendar,
  made_at,
  name,
}: {
  calendar: Calendar;
  made_at: string;
  name: string;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const ask = (action: 'renew' | 'revoke'): void =>
    confirm({
      title: t(`calendar.${action}.title`, { name }),
      text: t('calendar.oldLinkStops'),
      confirmLabel: action === 'renew' ? t('calendar.renew.label') : t('calendar.revoke.confirm'),
      onConfirm: action === 'renew' ? () => calendar.make(language) : calendar.revoke,
      errorText,
      harmless: action === 'renew',
    });
  const date = useInstantText()(made_at, 'date');
  return (
    <>
      {calendar.url === null ? (
        <p className="muted">{t('calendar.created', { date })}</p>
      ) : (
        <CalendarAddress key={calendar.url} url={calendar.url} name={name} />
      )}
      <Cluster className={styles.actions}>
        <Button small onClick={() => ask('renew')} aria-label={t('calendar.renew.name', { name })}>
          {t('calendar.renew.label')}
        </Button>
        <Button
          small
          variant="danger"
          onClick={() => ask('revoke')}
          aria-label={t('calendar.revoke.name', { name })}
        >
          {t('calendar.revoke.label')}
        </Button>
      </Cluster>
    </>
  );
}

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode);

/** With webcal: a program subscribes; an ordinary link would import the claims once. */
const webcalUrl = (url: string): string => url.replace(/^https?:/, 'webcal:');

/** A calendar's secret address, shown once: to copy, to open, or to scan. */
function CalendarAddress({ url, name }: { url: string; name: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(url);
  const [isShown, setIsShown] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  // The button that created it is gone; copying is the next step.
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p role="status" className="good">
        {t('calendar.copyNow')}
      </p>
      <code className={styles.url}>{url}</code>
      <LocalAddressNote url={url} />
      <Cluster className={styles.actions}>
        <Button
          ref={first}
          variant="primary"
          onClick={copy}
          aria-label={t('calendar.copyOf', { name })}
        >
          {copied ? <CheckIcon /> : <CopyIcon />}
          {t('calendar.copy')}
        </Button>
        <a
          className={buttonClass({})}
          href={webcalUrl(url)}
          aria-label={t('calendar.subscribeOf', { name })}
        >
          {t('calendar.subscribe')}
        </a>
        <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {t('calendar.qr.label')}
        </Button>
        <span role="status" className="visually-hidden">
          {copied ? t('shell.profile.copied') : null}
        </span>
      </Cluster>
      {isShown ? (
        <Cluster gap={4} className={styles.qr}>
          <Boundary instead={() => <p>{t('calendar.qr.failed')}</p>}>
            <Suspense fallback={<Skeleton width={176} height={176} />}>
              <QrCode text={webcalUrl(url)} label={t('calendar.qr.name', { name })} />
            </Suspense>
          </Boundary>
          <p>{t('calendar.qr.hint')}</p>
        </Cluster>
      ) : null}
    </>
  );
}

interface Calendar {
  status: 'loading' | 'ready' | 'failed';
  error: unknown;
  /** null: there is none. */
  made_at: string | null;
  /** Known only after it was made here: the server sends it once. */
  url: string | null;
  tryAgain: () => void;
  /** @throws ApiError */
  make: (language: Language) => Promise<void>;
  /** @throws ApiError */
  revoke: () => Promise<void>;
}

/** A character's calendar. Its secret URL is never cached: it stays in this component's state. */
function useCalendar({ characterName, accessKey }: Profile): Calendar {
  const queryKey = ['calendar', characterName];
  const { data, error, refetch } = useServerQuery({
    queryKey,
    queryFn: ({ signal }) => getCalendar(accessKey, signal),
    meta: { hasOwnKey: true },
    gcTime: 0,
  });
  const [url, setUrl] = useState<string | null>(null);
  const keep = async (made_at: string | null, secretUrl: string | null): Promise<void> => {
    setUrl(secretUrl);
    await replaceAnswer<CalendarState>(queryKey, (before) => before && { ...before, made_at });
  };
  return {
    status: data ? 'ready' : error ? 'failed' : 'loading',
    error,
    made_at: data?.made_at ?? null,
    url,
    tryAgain: () => void refetch(),
    make: async (language) => {
      const { url: made } = await postCalendar(language, accessKey);
      // A server that doesn't know its public address answers a path.
      await keep(new Date().toISOString(), new URL(made, location.origin).href);
    },
    revoke: async () => {
      await deleteCalendar(accessKey);
      await keep(null, null);
    },
  };
}
