import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventTimeStatus, eventTimeStatus } from '../../../../shared/rules/event-period.ts';
import { daysIn } from '../../../../shared/rules/next-period.ts';
import { entryFitsEvent } from '../../../../shared/rules/waits.ts';
import { MAX_CLAIMS_TO_UNDO } from '../../../../shared/schemas/activity.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import {
  activateEvent,
  deactivateEvent,
  deleteEvent,
  getActivation,
} from '../../../api/admin-calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { MoreIcon } from '../../../ui/icons.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { MenuItem, MenuList } from '../../../ui/menu-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { usePeriodText } from './event-values.ts';
import styles from './events.module.css';

interface EventRowProps {
  event: Event;
  /** Today's server-save date. */
  today: string;
  onEdit: () => void;
  onAsk: (action: EventAction) => void;
  onCopy: () => void;
}

export function EventRow({ event, today, ...rest }: EventRowProps): ReactNode {
  const { t } = useTranslation();
  const { name, type, is_active, single_claim_template } = event;
  const mayGuild = useMay('guild');
  const status = eventTimeStatus(event, today);
  return (
    <li className={classes(styles.event, is_active === 1 && styles.current)}>
      <div className={styles.about}>
        <div className={styles.name}>
          <h2>{name}</h2>
          <Badge>{t(`admin.events.type.${type}`)}</Badge>
          <Badge>{t(`admin.events.status.${status}`)}</Badge>
          {is_active ? <Badge tone="solid">{t('admin.events.active')}</Badge> : null}
        </div>
        <EventFacts event={event} />
        {is_active || status === 'ended' ? null : (
          <p className={tab.facts}>{t('admin.events.notActivated')}</p>
        )}
        {single_claim_template ? (
          <div className={styles.template}>
            <p className="faint small">{t('admin.events.template')}</p>
            <p>{single_claim_template}</p>
          </div>
        ) : null}
      </div>
      {mayGuild ? <EventActions status={status} event={event} {...rest} /> : null}
    </li>
  );
}

interface EventActionsProps extends Omit<EventRowProps, 'today'> {
  status: EventTimeStatus;
}

/** The step that comes next for the event as a button; the others in a menu. */
function EventActions({
  event: { name, is_active },
  status,
  onEdit,
  onAsk,
  onCopy,
}: EventActionsProps): ReactNode {
  const { t } = useTranslation();
  const toggle = is_active ? 'deactivate' : 'activate';
  const actions = [
    {
      id: 'toggle',
      text: t(`admin.events.${toggle}`),
      label: t(`admin.events.${toggle}Name`, { name }),
      run: () => onAsk(toggle),
    },
    {
      id: 'edit',
      text: t('common.edit'),
      label: t('admin.rows.edit', { name }),
      run: onEdit,
    },
    {
      id: 'copy',
      text: t('admin.events.copy.copy'),
      label: t('admin.events.copy.copyName', { name }),
      run: onCopy,
    },
  ];
  const next = is_active ? 'edit' : status === 'ended' ? 'copy' : 'toggle';
  return (
    <Cluster>
      {actions
        .filter(({ id }) => id === next)
        .map(({ id, text, label, run }) => (
          <Button key={id} small onClick={run} aria-label={label}>
            {text}
          </Button>
        ))}
      <Menu
        align="end"
        trigger={
          <IconButton
            small
            variant="plain"
            label={t('admin.events.more', { name })}
            icon={<MoreIcon />}
          />
        }
      >
        <MenuList>
          {actions
            .filter(({ id }) => id !== next)
            .map(({ id, text, label, run }) => (
              <MenuItem key={id} label={label} onSelect={run}>
                {text}
              </MenuItem>
            ))}
          <MenuItem
            danger
            label={t('admin.rows.delete', { name })}
            onSelect={() => onAsk('delete')}
          >
            {t('common.delete')}
          </MenuItem>
        </MenuList>
      </Menu>
    </Cluster>
  );
}

interface EventFactsProps {
  event: Pick<Event, 'start_time' | 'end_time' | 'claim_count'>;
  children?: ReactNode;
}

export function EventFacts({
  event: { start_time, end_time, claim_count },
  children,
}: EventFactsProps): ReactNode {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  return (
    <p className={tab.facts}>
      <span>{periodText({ start_time, end_time })}</span>
      <span>{t('admin.events.days', { count: daysIn({ start_time, end_time }) })}</span>
      <span>{t('admin.events.claims', { count: claim_count })}</span>
      {children}
    </p>
  );
}

type EventAction = 'activate' | 'deactivate' | 'delete';

export function useAskToActivate(): (event: Pick<Event, 'id' | 'name'>) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return ({ id, name }) => {
    let takesClaims = false;
    const onTake = (takes: boolean): void => {
      takesClaims = takes;
    };
    confirm({
      harmless: true,
      title: t('admin.events.confirmActivate.title', { name }),
      text: <ActivationText id={id} onTake={onTake} />,
      confirmLabel: t('admin.events.confirmActivate.confirm'),
      onConfirm: async () => {
        await activateEvent(id, takesClaims);
        showToast({ text: t('admin.events.activated') });
      },
      failed: t('admin.events.activateFailed'),
      errorText,
    });
  };
}

/** Asks before an event is activated, deactivated or deleted. @param focusAfterDelete takes the focus after the row is gone */
export function useConfirmEventAction(
  focusAfterDelete: RefObject<HTMLElement | null>,
): (action: EventAction, event: Event) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const askToActivate = useAskToActivate();
  const remove = async (id: number): Promise<void> => {
    const claims = useBoard.getState().byKind.event.get(id)?.claim_count ?? 0;
    await deleteEvent(id);
    if (claims > MAX_CLAIMS_TO_UNDO) showToast({ text: t('admin.events.deleted') });
    else
      offerUndo(t('admin.events.deleted'), {
        action: 'event_deleted',
        matches: ({ event_id }) => event_id === id,
      });
  };
  const deactivate = async (id: number): Promise<void> => {
    await deactivateEvent(id);
    showToast({ text: t('admin.events.deactivated') });
  };
  return (action, event) => {
    const { id, name } = event;
    switch (action) {
      case 'delete':
        return confirm({
          title: t('admin.rows.confirmDelete', { name }),
          text: <DeletionText event={event} />,
          confirmLabel: t('admin.events.confirmDelete.confirm'),
          onConfirm: () => remove(id),
          failed: t('admin.events.deleteFailed'),
          errorText,
          focusAfter: focusAfterDelete,
        });
      case 'deactivate':
        return confirm({
          harmless: true,
          title: t('admin.events.confirmDeactivate.title', { name }),
          text: <DeactivationText event={event} />,
          confirmLabel: t('admin.events.confirmDeactivate.confirm'),
          onConfirm: () => deactivate(id),
          failed: t('admin.events.deactivateFailed'),
          errorText,
        });
      case 'activate':
        return askToActivate(event);
    }
  };
}

/** Live counts of the records that are deleted with an event. */
function DeletionText({ event }: { event: Event }): ReactNode {
  const { t } = useTranslation();
  const { claim_count, is_active } = useBoard((board) => board.byKind.event.get(event.id)) ?? event;
  const lost = useEntriesLost(null);
  return (
    <Stack gap={2}>
      <p>
        {t(
          claim_count > MAX_CLAIMS_TO_UNDO
            ? 'admin.events.confirmDelete.notRestorable'
            : 'admin.events.confirmDelete.claims',
          {
            count: claim_count,
          },
        )}
      </p>
      {is_active ? <p>{t('admin.events.confirmDelete.active')}</p> : null}
      {is_active && lost > 0 ? <p>{t('admin.events.entriesLost', { count: lost })}</p> : null}
      {claim_count > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
    </Stack>
  );
}

/** How many waitlist entries become void if this event, or none, is the active one from now on. Live. */
const useEntriesLost = (id: number | null): number =>
  useBoard(({ byKind }) => {
    const event = (id === null ? undefined : byKind.event.get(id)) ?? null;
    return [...byKind.wait.values()].filter((entry) => !entryFitsEvent(entry, event)).length;
  });

function DeactivationText({ event: { name } }: { event: Event }): ReactNode {
  const { t } = useTranslation();
  const lost = useEntriesLost(null);
  return (
    <Stack gap={2}>
      <p>{t('admin.events.confirmDeactivate.text')}</p>
      {lost > 0 ? <p>{t('admin.events.entriesReopen', { count: lost, name })}</p> : null}
    </Stack>
  );
}

interface TakingProps {
  id: number;
  /** Whether the claims outside the event that fit into it become its own. */
  onTake: (takes: boolean) => void;
}

/** How many claims the event would leave outside, and the offer to take those that fit. */
function ClaimsOutside({ id, onTake }: TakingProps): ReactNode {
  const { t } = useTranslation();
  const [takes, setTakes] = useState(true);
  const { data } = useServerQuery({
    queryKey: ['activation', id],
    queryFn: ({ signal }) => getActivation(id, signal),
    gcTime: 0,
  });
  const { outside = 0, fitting = 0 } = data ?? {};
  const tell = useEffectEvent(onTake);
  useEffect(() => tell(takes && fitting > 0), [takes, fitting]);
  if (outside === 0) return null;
  return (
    <>
      <p>
        {t('admin.events.outside.count', { count: outside })} {t('admin.events.outside.text')}
      </p>
      {fitting === 0 ? (
        <p>{t('admin.events.outside.noneFits')}</p>
      ) : (
        <Checkbox
          label={t('admin.events.outside.take', { count: fitting })}
          checked={takes}
          onChange={({ target }) => setTakes(target.checked)}
        />
      )}
    </>
  );
}

/** Which event is deactivated instead, which waitlist entries end with it, and which claims it would leave outside. */
function ActivationText({ id, onTake }: TakingProps): ReactNode {
  const { t } = useTranslation();
  const other = useBoard(
    ({ byKind }) =>
      [...byKind.event.values()].find((event) => event.is_active && event.id !== id)?.name,
  );
  const lost = useEntriesLost(id);
  return (
    <Stack gap={2}>
      <p>{t('admin.events.confirmActivate.text')}</p>
      {other === undefined ? null : <p>{t('admin.events.confirmActivate.other', { other })}</p>}
      {lost === 0 ? null : (
        <p>
          {other === undefined
            ? t('admin.events.entriesLost', { count: lost })
            : t('admin.events.entriesReopen', { count: lost, name: other })}
        </p>
      )}
      <ClaimsOutside id={id} onTake={onTake} />
    </Stack>
  );
}
