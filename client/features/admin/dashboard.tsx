import { skipToken } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { getHealth, getSystem } from '../../api/admin-calls.ts';
import { useServerQuery } from '../../api/query.ts';
import { verifyAdmin } from '../../api/session-calls.ts';
import { placeAddress } from '../../lib/admin-tabs.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useMay } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Boundary } from '../../ui/boundary.tsx';
import styles from './admin-page.module.css';
import { AdminPage } from './admin-page.tsx';
import { useNeedsLook } from './people/needs-look.tsx';
import { NeedButton, NeedLink } from './status-strip.tsx';

const SetupChecklist = lazyPart(async () => (await import('./setup/checklist.tsx')).SetupChecklist);

/** The dashboard, with facts that only the server knows: its storage problems, the age of its backup, a generated password. */
export function Dashboard(): ReactNode {
  const isAdmin = useSession((session) => session.admin !== null);
  const isOwner = useMay('system');
  const mayGuild = useMay('guild');
  const hasGeneratedPassword = useHasGeneratedPassword();
  return (
    <>
      {isAdmin ? <HealthBanner /> : null}
      <AdminPage
        needs={
          isAdmin ? (
            <>
              <GeneratedPassword />
              {isOwner ? <BackupNeed /> : null}
              {mayGuild ? <NeedsLook /> : null}
            </>
          ) : null
        }
        withSetup={
          mayGuild
            ? (events, placeholder) => (
                <Boundary instead={() => events}>
                  <Suspense fallback={placeholder}>
                    <SetupChecklist
                      hasGeneratedPassword={hasGeneratedPassword}
                      placeholder={placeholder}
                    >
                      {events}
                    </SetupChecklist>
                  </Suspense>
                </Boundary>
              )
            : undefined
        }
      />
    </>
  );
}

const INTERVAL_MS = 30_000;

const TEXT = {
  'server.storageLost': 'lost',
  'server.storageDamaged': 'damaged',
  'server.storageReadOnly': 'readOnly',
  'server.storageFull': 'full',
} as const;
/** Reports problems of the data file's storage. A server that cannot be reached is reported elsewhere on the page. */
export function HealthBanner(): ReactNode {
  const { t } = useTranslation();
  const { data: health } = useServerQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => getHealth(signal),
    refetchInterval: INTERVAL_MS,
  });
  if (!health?.problem) return null;
  return (
    <Alert tone="bad" title={t('admin.health.title')} className={styles.banner}>
      {t(`admin.health.${TEXT[health.problem]}`)}
    </Alert>
  );
}

/** Whether this admin still has the password that was generated at the first start; undefined: not known yet, null: it couldn't be read. */
function useHasGeneratedPassword(): boolean | null | undefined {
  const token = useSession((session) => session.admin?.token ?? null);
  // A refusal ends the session elsewhere; if the server can't be reached, the next visit asks again.
  const { data, isLoading } = useServerQuery({
    queryKey: ['own admin account'],
    queryFn: token === null ? skipToken : ({ signal }) => verifyAdmin(token, signal),
  });
  return data ? data.has_generated_password : isLoading ? undefined : null;
}

/** Asks an admin who still has the generated password to choose their own. Nothing is locked. */
export function GeneratedPassword(): ReactNode {
  const { t } = useTranslation();
  if (!useHasGeneratedPassword()) return null;
  return (
    <NeedButton onPress={() => openOverlay('changePassword', {})}>
      {t('admin.status.generatedPassword')}
    </NeedButton>
  );
}

/** Members who left, or whose character changed in the game. */
function NeedsLook(): ReactNode {
  const { t } = useTranslation();
  const { needs } = useNeedsLook();
  if (needs.length === 0) return null;
  return (
    <NeedLink to={placeAddress('keys')}>
      {t('admin.status.needsLook', { count: needs.length })}
    </NeedLink>
  );
}

const BACKUP_INTERVAL_MS = 5 * 60_000;
/** Automatic backups may be late by this factor, as when the server was down, before it is reported. */
const LATE_FACTOR = 2;
const HOUR_MS = 3_600_000;
/** The age of a backup is shown in hours below two days, then in days. */
const SAID_IN_DAYS_FROM = 48;

/** Reports that backups fail, or that the newest one is older than it should be. */
export function BackupNeed(): ReactNode {
  const { t } = useTranslation();
  const { data } = useServerQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => getSystem(signal),
    refetchInterval: BACKUP_INTERVAL_MS,
  });
  if (!data) return null;
  const { backup, clock, started_at } = data;
  const to = placeAddress('settings/system');
  if (backup.failure && !backup.running) {
    return (
      <NeedLink isAlarm to={to}>
        {t('admin.status.backupFailed')}
      </NeedLink>
    );
  }
  if (backup.every_hours === 0) return null;
  const hours =
    (Date.parse(clock.time) - Date.parse(backup.newest?.made_at ?? started_at)) / HOUR_MS;
  if (hours <= backup.every_hours * LATE_FACTOR) return null;
  const ageText = (age: number): string =>
    age < SAID_IN_DAYS_FROM
      ? t('admin.status.backupHours', { count: Math.floor(age) })
      : t('admin.status.backupOld', { count: Math.floor(age / 24) });
  return (
    <NeedLink isAlarm to={to}>
      {backup.newest ? ageText(hours) : t('admin.status.noBackup')}
    </NeedLink>
  );
}
