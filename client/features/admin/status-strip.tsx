import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { eventDate, eventTimeStatus } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import { updateConfig } from '../../api/admin-calls.ts';
import { placeAddress } from '../../lib/admin-tabs.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { confirm } from '../../state/overlays.ts';
import { useMay, useNotificationsPaused } from '../../state/permissions.ts';
import { usePresence } from '../../state/presence-store.ts';
import { classes } from '../../ui/classes.ts';
import { ChevronDownIcon } from '../../ui/icons.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Link } from '../../ui/link.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MenuItem, MenuList } from '../../ui/menu-list.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './admin-page.module.css';
import { statusOf } from './notifications/channel-status.ts';
import { countPendingVerifications } from './people/person.ts';

/**
 * Below the title: the active event, whether claims are open, and what needs an admin.
 * @param children further needs: `NeedLink`, `NeedButton`
 */
export function StatusStrip({ children }: { children: ReactNode }): ReactNode {
  const { t } = useTranslation();
  const ready = useBoard((board) => board.status === 'ready' && board.room !== 'members');
  const mayGuild = useMay('guild');
  // Its line is there from the start, so that it pushes nothing down.
  if (!ready) return <div className={styles.strip} />;
  return (
    <section aria-label={t('admin.status.label')} className={styles.strip}>
      <EventProgress />
      <ClaimsSwitch />
      <PausedSending />
      {mayGuild ? (
        <>
          <PendingVerifications />
          <FailingChannels />
        </>
      ) : null}
      {children}
    </section>
  );
}

function EventProgress(): ReactNode {
  const { t } = useTranslation();
  const event = useBoard(({ byKind }) =>
    [...byKind.event.values()].find(({ is_active }) => is_active === 1),
  );
  const { date: today } = useServerSaveTime();
  if (!event) return <span className={styles.quiet}>{t('board.noEvent')}</span>;
  const start = eventDate(event.start_time);
  const end = eventDate(event.end_time);
  const days = datesBetween(start, end).length;
  const progress = {
    upcoming: () => t('admin.status.startsIn', { count: datesBetween(today, start).length - 1 }),
    active: () => t('admin.status.day', { day: datesBetween(start, today).length, days }),
    ended: () => t('admin.status.ended'),
  }[eventTimeStatus(event, today)]();
  return (
    <span className={styles.event}>
      <Link to={placeAddress('events')} className="semibold">
        {event.name}
      </Link>
      <span className={styles.quiet}>{progress}</span>
      <Link to={placeAddress('claims')} className="tabular">
        {t('admin.events.claims', { count: event.claim_count })}
      </Link>
    </span>
  );
}

/** Opens and closes submission for the whole guild, and says so if an ended event leaves nothing to claim. Closing asks first and can be undone. It follows what other admins store. */
function ClaimsSwitch(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const isOpen = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.submission_enabled);
  const mayGuild = useMay('guild');
  const event = useActiveEvent();
  const { date: today } = useServerSaveTime();
  const isOver = event !== null && eventTimeStatus(event, today) === 'ended';
  const open = useAction({
    work: () => updateConfig({ submission_enabled: 1 }),
    done: () => showToast({ text: t('admin.settings.saved') }),
    failed: (reason) => t('admin.settings.failed', { reason }),
  });
  if (isOpen === undefined) return null;
  const look = classes(styles.claims, (isOpen === 0 || isOver) && styles.closed);
  const label = t(
    isOpen === 0
      ? 'admin.status.claimsClosed'
      : isOver
        ? 'admin.status.noDatesLeft'
        : 'admin.status.claimsOpen',
  );
  if (!mayGuild) return <span className={look}>{label}</span>;
  const askToClose = (): void =>
    confirm({
      title: t('admin.settings.confirmClose.title'),
      text: <ClosingText />,
      confirmLabel: t('admin.settings.confirmClose.confirm'),
      onConfirm: async () => {
        await updateConfig({ submission_enabled: 0 });
        showToast({
          text: t('admin.settings.saved'),
          detail: t('admin.settings.closed'),
          action: { label: t('board.quickClaim.undo'), onPress: () => open.run() },
        });
      },
      errorText: (error) => t('admin.settings.failed', { reason: errorText(error) }),
    });
  return (
    <Menu
      trigger={
        <button type="button" aria-busy={open.isBusy || undefined} className={look}>
          {label}
          <ChevronDownIcon size={14} />
        </button>
      }
    >
      <MenuList>
        {isOpen ? (
          <MenuItem onSelect={askToClose}>{t('admin.status.closeClaims')}</MenuItem>
        ) : (
          <MenuItem onSelect={() => open.run()}>{t('admin.status.openClaims')}</MenuItem>
        )}
      </MenuList>
    </Menu>
  );
}

/** How many members closing affects, live while the dialog is open. */
function ClosingText(): ReactNode {
  const { t } = useTranslation();
  const keys = useBoard(
    (board) => [...board.byKind.access_key.values()].filter((key) => !key.is_revoked).length,
  );
  const watching = usePresence((presence) => presence.watching);
  return (
    <Stack gap={2}>
      <p>{t('admin.settings.confirmClose.keys', { count: keys })}</p>
      {watching === null ? null : (
        <p>{t('admin.settings.confirmClose.watching', { count: watching })}</p>
      )}
      <p>{t('admin.settings.confirmClose.kept')}</p>
    </Stack>
  );
}

interface NeedProps {
  /** It fails already; otherwise it only waits. */
  isAlarm?: boolean;
  children: ReactNode;
}

export function NeedLink({ to, isAlarm, children }: NeedProps & { to: string }): ReactNode {
  return (
    <Link to={to} className={classes(styles.need, isAlarm && styles.alarm)}>
      {children}
    </Link>
  );
}

export function NeedButton({
  onPress,
  isAlarm,
  children,
}: NeedProps & { onPress: () => void }): ReactNode {
  return (
    <button
      type="button"
      className={classes(styles.need, isAlarm && styles.alarm)}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** How many characters an admin has to verify by hand; 0 if the game's data verifies them. */
export const usePendingVerifications = (): number =>
  useBoard(({ byKind }) =>
    byKind.config.get(CONFIG_ID)?.character_check === 'manual'
      ? countPendingVerifications(byKind.verified_code.values())
      : 0,
  );

function PendingVerifications(): ReactNode {
  const { t } = useTranslation();
  const count = usePendingVerifications();
  if (count === 0) return null;
  return (
    <NeedLink to={`${placeAddress('verified')}?status=pending`}>
      {t('admin.status.pendingVerifications', { count })}
    </NeedLink>
  );
}

/** After a restore. Only owners can resume sending. */
function PausedSending(): ReactNode {
  const { t } = useTranslation();
  const isPaused = useNotificationsPaused();
  const isOwner = useMay('system');
  if (!isPaused) return null;
  const text = t('admin.system.paused.title');
  if (!isOwner) return <span className={classes(styles.need, styles.alarm)}>{text}</span>;
  return (
    <NeedLink isAlarm to={placeAddress('settings/system')}>
      {text}
    </NeedLink>
  );
}

/** Channels that the server switched off, or that fail and are retried. */
function FailingChannels(): ReactNode {
  const { t } = useTranslation();
  const isPaused = useNotificationsPaused();
  const names = useBoard(({ byKind }) =>
    [...byKind.destination.values()]
      .filter((channel) => ['disabled', 'retrying'].includes(statusOf(channel, isPaused)))
      .map(({ name }) => name)
      .join(', '),
  );
  if (names === '') return null;
  return (
    <NeedLink isAlarm to={placeAddress('settings/notifications')}>
      {t('admin.status.failing', { names })}
    </NeedLink>
  );
}
