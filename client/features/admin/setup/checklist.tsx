import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTimeStatus } from '../../../../shared/rules/event-period.ts';
import { DEFAULT_VOUCHER_HOURS } from '../../../../shared/schemas/member-type.ts';
import type { SetupChange, SetupStep } from '../../../../shared/schemas/setup.ts';
import { changeSetup, getAdmins, getSetup, getSystem } from '../../../api/admin-calls.ts';
import { queryClient, useServerQuery } from '../../../api/query.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { EventDialog } from '../events/event-form.tsx';
import { useAskToActivate } from '../events/event-row.tsx';
import { GuildNameForm, useConfig } from '../settings/guild-settings.tsx';
import { InviteMembers, PasteNames } from './invite-members.tsx';
import styles from './setup.module.css';

/** How often facts and decisions that are not live are read again. */
const INTERVAL_MS = 15_000;
const SETUP_KEY = ['setup'];

interface Step {
  id: SetupStep;
  isDone: boolean;
  /** What the admin can do about it; drawn while the step is open. */
  body: ReactNode;
}

/**
 * The first-run checklist. Each step is ticked when the guild's data says so. Admins share what they skip. It leaves when every
 * step is done or skipped, or when an admin dismisses it.
 * @param hasGeneratedPassword whether this admin still has the password of the first start; undefined: not known yet
 */
export function SetupChecklist({ hasGeneratedPassword }: { hasGeneratedPassword: boolean | undefined }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data } = useServerQuery({ queryKey: SETUP_KEY, queryFn: ({ signal }) => getSetup(signal), refetchInterval: INTERVAL_MS });
  const [isPasting, setPasting] = useState(false);
  const steps = useSteps(hasGeneratedPassword, () => setPasting(true));
  const heading = useRef<HTMLHeadingElement>(null);
  if (!data || !steps || data.is_dismissed) return null;
  const isSkipped = ({ id }: Step): boolean => data.skipped.includes(id);
  const done = steps.filter((step) => step.isDone || isSkipped(step)).length;
  // The list of new keys stays until it is closed.
  if (done === steps.length && !isPasting) return null;
  const change = async (what: SetupChange): Promise<void> => {
    try {
      queryClient.setQueryData(SETUP_KEY, await changeSetup(what));
      // The pressed button is gone.
      heading.current?.focus();
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.setup.failed', { reason: errorText(error) }) });
    }
  };
  return (
    <section aria-labelledby="setup-title" className={styles.setup}>
      <header className={styles.head}>
        <h2 ref={heading} tabIndex={-1} id="setup-title">
          {t('admin.setup.title')}
        </h2>
        <p role="status" className={styles.progress}>
          {t('admin.setup.progress', { done, count: steps.length })}
        </p>
        <Button small variant="quiet" onClick={() => void change({ is_dismissed: true })}>
          {t('admin.setup.dismiss')}
        </Button>
      </header>
      <progress aria-hidden="true" value={done} max={steps.length} className={styles.bar} />
      <ol className={styles.steps}>
        {steps.map((step) => {
          const { id, isDone, body } = step;
          const skipped = !isDone && isSkipped(step);
          const state = isDone ? 'done' : skipped ? 'skipped' : 'open';
          return (
            <li key={id} data-step={id} data-state={state} className={classes(styles.step, styles[state])}>
              <span aria-hidden="true" className={styles.tick}>
                {isDone ? <CheckIcon size={14} /> : null}
              </span>
              <div className={styles.about}>
                <h3>
                  {t(`admin.setup.steps.${id}.title`)}
                  {state === 'open' ? null : <span className={styles.state}>{t(`admin.setup.${state}`)}</span>}
                </h3>
                {state === 'open' ? body : null}
              </div>
              {isDone ? null : (
                <Button
                  small
                  variant="quiet"
                  aria-label={t(skipped ? 'admin.setup.resumeName' : 'admin.setup.skipName', { step: t(`admin.setup.steps.${id}.title`) })}
                  onClick={() => void change(skipped ? { resume: [id] } : { skip: [id] })}
                >
                  {t(skipped ? 'admin.setup.resume' : id === 'member_types' ? 'admin.setup.checked' : 'admin.setup.skip')}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {isPasting ? <PasteNames onClose={() => setPasting(false)} /> : null}
    </section>
  );
}

/** The steps that this admin can take, with the facts behind them; null while a fact is not known. */
function useSteps(hasGeneratedPassword: boolean | undefined, onPaste: () => void): Step[] | null {
  const { t } = useTranslation();
  const config = useConfig();
  const isOwner = useMay('admins');
  const types = useBoard((board) => board.byKind.member_type);
  const hasKeys = useBoard((board) => [...board.byKind.access_key.values()].some((key) => !key.is_revoked));
  const hasChannels = useBoard((board) => board.byKind.destination.size > 0);
  const hasActiveEvent = useActiveEvent() !== null;
  const { data: admins } = useServerQuery({
    queryKey: ['admins'],
    queryFn: ({ signal }) => getAdmins(signal),
    enabled: isOwner,
    refetchInterval: INTERVAL_MS,
  });
  const { data: system } = useServerQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => getSystem(signal),
    enabled: isOwner,
    refetchInterval: INTERVAL_MS,
  });
  if (!config || hasGeneratedPassword === undefined || (isOwner && (!admins || !system))) return null;
  const link = (place: Parameters<typeof placeAddress>[0], label: string): ReactNode => (
    <Cluster>
      <ButtonLink small to={placeAddress(place)}>
        {label}
      </ButtonLink>
    </Cluster>
  );
  const text = (id: SetupStep): ReactNode => (
    <p className={styles.text}>{t(`admin.setup.steps.${id}.text`, { days: config.horizon_days })}</p>
  );
  const steps: Step[] = [
    {
      id: 'guild_name',
      isDone: config.guild_name !== null,
      body: (
        <>
          {text('guild_name')}
          <GuildNameForm stored={config.guild_name ?? ''} />
        </>
      ),
    },
    {
      id: 'member_types',
      isDone: [...types.values()].some(
        (type) => !type.is_system || type.voucher_duration_hours !== DEFAULT_VOUCHER_HOURS || type.guild_ranks.length > 0,
      ),
      body: (
        <>
          {text('member_types')}
          {link('members', t('admin.setup.steps.member_types.open'))}
        </>
      ),
    },
    {
      id: 'event',
      isDone: hasActiveEvent,
      body: (
        <>
          {text('event')}
          <EventStep />
        </>
      ),
    },
    { id: 'members', isDone: hasKeys, body: <InviteMembers onPaste={onPaste} /> },
    {
      id: 'discord',
      isDone: hasChannels,
      body: (
        <>
          {text('discord')}
          {link('settings/notifications', t('admin.setup.steps.discord.open'))}
        </>
      ),
    },
  ];
  if (isOwner && admins && system) {
    steps.push(
      {
        id: 'second_owner',
        isDone: admins.admins.filter(({ role }) => role === 'owner').length > 1,
        body: (
          <>
            {text('second_owner')}
            {link('settings/admins', t('admin.setup.steps.second_owner.open'))}
          </>
        ),
      },
      {
        id: 'public_address',
        isDone: system.public_url !== null && system.backup.newest !== null,
        body: (
          <>
            {system.public_url === null ? text('public_address') : null}
            <p className={styles.text}>
              {t(
                system.backup.newest === null ? 'admin.setup.steps.public_address.noBackup' : 'admin.setup.steps.public_address.hasBackup',
              )}
            </p>
            {link('settings/system', t('admin.setup.steps.public_address.open'))}
          </>
        ),
      },
    );
  }
  steps.push({
    id: 'password',
    isDone: !hasGeneratedPassword,
    body: (
      <>
        {text('password')}
        <Cluster>
          <Button small onClick={() => openOverlay('changePassword', {})}>
            {t('shell.profile.changePassword')}
          </Button>
        </Cluster>
      </>
    ),
  });
  return steps;
}

/** Creates the first event, or activates the one that is there. */
function EventStep(): ReactNode {
  const { t } = useTranslation();
  const [isCreating, setCreating] = useState(false);
  const askToActivate = useAskToActivate();
  const { date: today } = useServerSaveTime();
  const events = useBoard((board) => board.byKind.event);
  const waiting = [...events.values()].find((event) => eventTimeStatus(event, today) !== 'ended');
  return (
    <Cluster>
      {waiting ? (
        <Button small onClick={() => askToActivate(waiting)}>
          {t('admin.setup.steps.event.activate', { name: waiting.name })}
        </Button>
      ) : (
        <Button small onClick={() => setCreating(true)}>
          {t('admin.setup.steps.event.create')}
        </Button>
      )}
      <EventDialog subject={isCreating ? 'new' : null} onClose={() => setCreating(false)} />
    </Cluster>
  );
}
