import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventTimeStatus } from '../../../../shared/rules/event-period.ts';
import type { AdminList } from '../../../../shared/schemas/admin.ts';
import { SETUP_STEPS, type SetupChange, type SetupStep } from '../../../../shared/schemas/setup.ts';
import type { System } from '../../../../shared/schemas/system.ts';
import { DEFAULT_SETTINGS, SETTING_NAMES } from '../../../../shared/settings.ts';
import { changeSetup, getAdmins, getSetup, getSystem } from '../../../api/admin-calls.ts';
import { replaceAnswer, useServerQuery } from '../../../api/query.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useHasDiscordApp, useMay } from '../../../state/permissions.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { LocalAddressNote } from '../../../ui/local-address-note.tsx';
import { Step as ListStep, StepList } from '../../../ui/step-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useFollowAdmins } from '../admins/follow-admins.ts';
import { EventDialog } from '../events/event-form.tsx';
import { useAskToActivate } from '../events/event-row.tsx';
import { PasteNames } from '../people/add-members.tsx';
import { GuildNameForm, useConfig } from '../settings/guild-settings.tsx';
import { InviteMembers } from './invite-members.tsx';
import styles from './setup.module.css';

/** How often facts and decisions that are not live are read again, while the list is shown. */
const INTERVAL_MS = 15_000;
const SETUP_QUERY = {
  queryKey: ['setup'],
  queryFn: ({ signal }: { signal: AbortSignal }) => getSetup(signal),
};

interface Step {
  id: SetupStep;
  isDone: boolean;
  /** Text and buttons; rendered while the step is open and expanded. */
  body: ReactNode;
}

interface SetupChecklistProps {
  /** Whether this admin still has the password of the first start; undefined: not known yet, null: it couldn't be read. */
  hasGeneratedPassword: boolean | null | undefined;
  /** In place of the list and the children until it is known whether there is a list: it must not push them down later. */
  placeholder?: ReactNode;
  children?: ReactNode;
}

/**
 * The first-run checklist, above the children. Each step is ticked when the guild's data says so. Admins share skipped steps. It
 * leaves for good when an owner's every step is done or skipped, or when an admin dismisses it.
 */
export function SetupChecklist({
  hasGeneratedPassword,
  placeholder = null,
  children,
}: SetupChecklistProps): ReactNode {
  const { data, isLoading } = useServerQuery({
    ...SETUP_QUERY,
    refetchInterval: ({ state }) => (state.data ? false : INTERVAL_MS),
  });
  const isShown = data !== undefined && !data.is_dismissed;
  const [isPasting, setPasting] = useState(false);
  const steps = useSteps({
    skipped: data?.skipped ?? [],
    isShown,
    hasGeneratedPassword,
    onPaste: () => setPasting(true),
  });
  const [isKnown, setKnown] = useState(false);
  if (!isKnown && !isLoading && (!isShown || steps)) setKnown(true);
  if (!isKnown) return placeholder;
  return (
    <>
      {isShown && steps ? (
        <Checklist
          steps={steps}
          skipped={data.skipped}
          isPasting={isPasting}
          onPasted={() => setPasting(false)}
        />
      ) : null}
      {children}
    </>
  );
}

interface ChecklistProps {
  steps: readonly Step[];
  skipped: readonly SetupStep[];
  isPasting: boolean;
  onPasted: () => void;
}

function Checklist({ steps, skipped, isPasting, onPasted }: ChecklistProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  /** The steps that were opened or closed by hand; of the others the first open one is expanded. */
  const [expanded, setExpanded] = useState<{ readonly [S in SetupStep]?: boolean }>({});
  const heading = useRef<HTMLHeadingElement>(null);
  const isOver = ({ id, isDone }: Step): boolean => isDone || skipped.includes(id);
  const done = steps.filter(isOver).length;
  const isFinished = done === steps.length;
  // Follow other admins' skips and dismissal.
  useServerQuery({
    ...SETUP_QUERY,
    refetchOnMount: false,
    refetchInterval: isFinished ? false : INTERVAL_MS,
  });
  // Stored, so that a step of a later version doesn't bring the list back. Other roles than owners don't see every step.
  const isStored =
    isFinished &&
    !isPasting &&
    SETUP_STEPS.every((id) => id === 'password' || steps.some((step) => step.id === id));
  useEffect(() => {
    if (isStored) changeSetup({ is_dismissed: true }).catch(() => {});
  }, [isStored]);
  // The list of new keys stays until it is closed.
  if (isFinished && !isPasting) return null;
  const first = steps.find((step) => !isOver(step))?.id;
  const change = async (what: SetupChange): Promise<void> => {
    try {
      await replaceAnswer(SETUP_QUERY.queryKey, await changeSetup(what));
      if (what.is_dismissed) {
        const undo = {
          label: t('board.quickClaim.undo'),
          onPress: () => void change({ is_dismissed: false }),
        };
        showToast({ text: t('admin.setup.dismissed'), action: undo });
      }
      // The pressed button is gone; with the whole list, `keepFocus` moves the focus.
      heading.current?.focus();
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.setup.failed', { reason: errorText(error) }) });
    }
  };
  return (
    <section aria-labelledby="setup-title" className={styles.setup}>
      <Cluster as="header" rowGap={1} gap={3} className={styles.head}>
        <h2 ref={heading} tabIndex={-1} id="setup-title" className="no-ring">
          {t('admin.setup.title')}
        </h2>
        <p role="status" className="muted tabular">
          {t('admin.setup.progress', { done, count: steps.length })}
        </p>
        <Button small variant="quiet" onClick={() => void change({ is_dismissed: true })}>
          {t('admin.setup.dismiss')}
        </Button>
      </Cluster>
      <progress aria-hidden="true" value={done} max={steps.length} className={styles.bar} />
      <StepList look="rows">
        {steps.map((step) => {
          const { id, isDone, body } = step;
          const isSkipped = !isDone && skipped.includes(id);
          const state = isDone ? 'done' : isSkipped ? 'skipped' : 'open';
          const isExpanded = state === 'open' && (expanded[id] ?? id === first);
          const title = t(`admin.setup.steps.${id}.title`);
          const action = isSkipped
            ? 'resume'
            : id === 'rules' || id === 'spots' || id === 'backup'
              ? 'checked'
              : 'skip';
          return (
            <ListStep
              key={id}
              name={id}
              state={state}
              status={state === 'open' ? undefined : t(`admin.setup.${state}`)}
              title={
                state === 'open' ? (
                  <button
                    type="button"
                    aria-expanded={isExpanded}
                    onClick={() => setExpanded({ ...expanded, [id]: !isExpanded })}
                    className={styles.toggle}
                  >
                    {title}
                    <ChevronDownIcon size={16} />
                  </button>
                ) : (
                  <span className={styles.over}>{title}</span>
                )
              }
              action={
                isDone ? null : (
                  <Button
                    small
                    variant="quiet"
                    aria-label={t(`admin.setup.${action}Name`, { step: title })}
                    onClick={() => void change(isSkipped ? { resume: [id] } : { skip: [id] })}
                  >
                    {t(`admin.setup.${action}`)}
                  </Button>
                )
              }
            >
              {isExpanded ? body : null}
            </ListStep>
          );
        })}
      </StepList>
      {isPasting ? <PasteNames onClose={onPasted} /> : null}
    </section>
  );
}

const hasSecondOwner = ({ admins }: AdminList): boolean =>
  admins.filter(({ role }) => role === 'owner').length > 1;
const isReachable = ({ public_url }: System): boolean => public_url !== null;

interface StepsOptions extends Pick<SetupChecklistProps, 'hasGeneratedPassword'> {
  skipped: readonly SetupStep[];
  isShown: boolean;
  onPaste: () => void;
}

/** The steps that this admin can take, with the facts behind them; null while they load. A step whose fact can't be read is left out. */
function useSteps({
  skipped,
  isShown,
  hasGeneratedPassword,
  onPaste,
}: StepsOptions): Step[] | null {
  const { t } = useTranslation();
  const config = useConfig();
  const isOwner = useMay('admins');
  const hasKeys = useBoard((board) =>
    [...board.byKind.access_key.values()].some((key) => !key.is_revoked),
  );
  const hasChannels = useBoard((board) => board.byKind.destination.size > 0);
  const hasDiscordApp = useHasDiscordApp();
  const hasActiveEvent = useActiveEvent() !== null;
  useFollowAdmins();
  // A step that is over is not looked at again.
  const admins = useServerQuery({
    queryKey: ['admins'],
    queryFn: ({ signal }) => getAdmins(signal),
    enabled: isOwner && isShown,
    refetchInterval: ({ state: { data } }) =>
      skipped.includes('second_owner') || (data && hasSecondOwner(data)) ? false : INTERVAL_MS,
  });
  const system = useServerQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => getSystem(signal),
    enabled: isOwner && isShown,
    refetchInterval: ({ state: { data } }) =>
      skipped.includes('public_address') || (data && isReachable(data)) ? false : INTERVAL_MS,
  });
  if (!config || admins.isLoading || system.isLoading || hasGeneratedPassword === undefined)
    return null;
  const link = (place: Parameters<typeof placeAddress>[0], label: string): ReactNode => (
    <Cluster>
      <ButtonLink small to={placeAddress(place)}>
        {label}
      </ButtonLink>
    </Cluster>
  );
  const text = (id: SetupStep): ReactNode => (
    <p>{t(`admin.setup.steps.${id}.text`, { days: config.horizon_days })}</p>
  );
  const steps: Step[] = [
    {
      id: 'guild_name',
      isDone: config.guild_name !== null,
      body: (
        <>
          {text('guild_name')}
          <GuildNameForm config={config} isExplained />
        </>
      ),
    },
    { id: 'members', isDone: hasKeys, body: <InviteMembers onPaste={onPaste} /> },
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
    {
      id: 'rules',
      isDone: SETTING_NAMES.some(
        (name) => name !== 'submission_enabled' && config[name] !== DEFAULT_SETTINGS[name],
      ),
      body: (
        <>
          {text('rules')}
          {link('settings/rules', t('admin.setup.steps.rules.open'))}
        </>
      ),
    },
    {
      id: 'spots',
      isDone: false,
      body: (
        <>
          {text('spots')}
          {link('respawns', t('admin.setup.steps.spots.open'))}
        </>
      ),
    },
    {
      id: 'discord',
      isDone: hasChannels || hasDiscordApp,
      body: (
        <>
          {text('discord')}
          {link('settings/notifications', t('admin.setup.steps.discord.open'))}
        </>
      ),
    },
  ];
  if (isOwner && system.data) {
    // First: every link to send is made from the address.
    steps.unshift({
      id: 'public_address',
      isDone: isReachable(system.data),
      body: (
        <>
          {text('public_address')}
          <LocalAddressNote url={location.origin} />
        </>
      ),
    });
  }
  if (isOwner && admins.data) {
    steps.push({
      id: 'second_owner',
      isDone: hasSecondOwner(admins.data),
      body: (
        <>
          {text('second_owner')}
          <Cluster>
            <ButtonLink small to={`${placeAddress('settings/admins')}?role=owner`}>
              {t('admin.setup.steps.second_owner.open')}
            </ButtonLink>
          </Cluster>
        </>
      ),
    });
  }
  if (isOwner) {
    steps.push({
      id: 'backup',
      isDone: false,
      body: (
        <>
          {text('backup')}
          {link('settings/system', t('admin.setup.steps.backup.open'))}
        </>
      ),
    });
  }
  if (hasGeneratedPassword !== null) {
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
  }
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
