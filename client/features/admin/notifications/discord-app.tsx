import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  DiscordApp,
  DiscordSetup,
  RegisterError,
} from '../../../../shared/schemas/discord.ts';
import {
  getDiscordApp,
  registerDiscordCommands,
  removeDiscordApp,
} from '../../../api/admin-calls.ts';
import { queryClient, replaceAnswer, useServerQuery } from '../../../api/query.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { confirm } from '../../../state/overlays.ts';
import { Alert, FailedLoad } from '../../../ui/alert.tsx';
import { Button, ButtonLink, buttonClass } from '../../../ui/button.tsx';
import { CopyableCode, useCopy } from '../../../ui/copyable-code.tsx';
import { Help } from '../../../ui/help.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { StepList } from '../../../ui/step-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { isConnected } from '../people/people-columns.tsx';
import { AppStep } from './app-step.tsx';
import { useTimeText } from './channel-words.ts';
import styles from './discord-app.module.css';
import { DiscordAppDialog } from './discord-app-form.tsx';
import { DiscordSignInSection } from './discord-sign-in.tsx';

const QUERY = {
  queryKey: ['discord app'],
  queryFn: ({ signal }: { signal: AbortSignal }) => getDiscordApp(signal),
};
/** While a step waits for Discord, and otherwise, in milliseconds. */
const WAITING_INTERVAL_MS = 3_000;
const USUAL_INTERVAL_MS = 15_000;

const isWaiting = (app: DiscordApp | null | undefined): boolean =>
  app !== null &&
  app !== undefined &&
  (app.first_interaction_at === null || app.registered_at === null);

/** The guild's Discord app, for owners: its set-up step by step. */
export function DiscordAppSection(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isEditing, setEditing] = useState(false);
  const { data, error, refetch } = useServerQuery({
    ...QUERY,
    refetchInterval: ({ state }) =>
      isWaiting(state.data?.app) ? WAITING_INTERVAL_MS : USUAL_INTERVAL_MS,
    // The owner comes back from the developer portal.
    refetchOnWindowFocus: 'always',
  });
  const keep = async (setup: DiscordSetup): Promise<void> => {
    await replaceAnswer<DiscordSetup>(QUERY.queryKey, setup);
    showToast({ text: t('admin.discordApp.saved') });
  };
  return (
    <Stack aria-labelledby={id} as="section" gap={4} className={styles.panel}>
      <Cluster as="header" className={styles.head}>
        <h2 id={id} ref={heading} tabIndex={-1} className="no-ring">
          {t('admin.discordApp.title')}
        </h2>
        <Help topic={t('admin.discordApp.title')} text={t('admin.discordApp.help')} />
      </Cluster>
      <p className="muted">{t('admin.discordApp.about')}</p>
      {data ? (
        <>
          <AddressAlert endpoint_url={data.endpoint_url} />
          {data.app ? (
            <>
              <SetupSteps setup={data} app={data.app} onEdit={() => setEditing(true)} />
              <DiscordSignInSection application_id={data.app.application_id} />
              <RemoveApp focusAfter={heading} />
            </>
          ) : (
            <div>
              <Button variant="primary" onClick={() => setEditing(true)}>
                {t('admin.discordApp.setUp')}
              </Button>
            </div>
          )}
          {isEditing ? (
            <DiscordAppDialog
              stored={data.app}
              read={() => queryClient.query(QUERY)}
              onClose={() => setEditing(false)}
              onSaved={keep}
              focusAfter={heading}
            />
          ) : null}
        </>
      ) : error ? (
        <FailedLoad
          sentence={t('admin.discordApp.loadFailed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : (
        <Loading>
          <Skeleton height={220} />
        </Loading>
      )}
    </Stack>
  );
}

/** Discord reaches the board only at a public https address. */
function AddressAlert({ endpoint_url }: Pick<DiscordSetup, 'endpoint_url'>): ReactNode {
  const { t } = useTranslation();
  if (endpoint_url?.startsWith('https://')) return null;
  return (
    <Alert
      tone="accent"
      title={t(
        endpoint_url === null
          ? 'admin.discordApp.noAddress.title'
          : 'admin.discordApp.noHttps.title',
      )}
    >
      {t(
        endpoint_url === null ? 'admin.discordApp.noAddress.text' : 'admin.discordApp.noHttps.text',
      )}
    </Alert>
  );
}

interface SetupStepsProps {
  setup: DiscordSetup;
  app: DiscordApp;
  onEdit: () => void;
}

function SetupSteps({
  setup: { endpoint_url, invite_url },
  app,
  onEdit,
}: SetupStepsProps): ReactNode {
  const { t } = useTranslation();
  const timeText = useTimeText();
  const {
    application_id,
    guild_id,
    saved_at,
    registered_at,
    register_error,
    first_interaction_at,
    message_error,
  } = app;
  const ids = { application_id, guild_id: guild_id ?? '' };
  const reasonOf = (error: RegisterError): string =>
    error === 'unknownApplication' && guild_id !== null
      ? t('admin.discordApp.reason.unknownServer', ids)
      : t(`admin.discordApp.reason.${error}`, ids);
  return (
    <StepList look="rows">
      <AppStep
        state="done"
        title={t('admin.discordApp.steps.saved.title')}
        action={
          <Button small onClick={onEdit} aria-label={t('admin.discordApp.edit')}>
            {t('common.edit')}
          </Button>
        }
      >
        <p>
          {t('admin.discordApp.steps.saved.text', { application_id, time: timeText(saved_at) })}{' '}
          {guild_id === null
            ? t('admin.discordApp.steps.saved.everyServer')
            : t('admin.discordApp.steps.saved.oneServer', { guild_id })}
        </p>
      </AppStep>
      <AppStep
        state={register_error !== null ? 'failed' : registered_at === null ? 'waiting' : 'done'}
        title={t('admin.discordApp.steps.commands.title')}
        action={<RegisterButton />}
      >
        {registered_at === null ? null : (
          <p>{t('admin.discordApp.steps.commands.done', { time: timeText(registered_at) })}</p>
        )}
        {register_error === null ? null : <p className="bad">{reasonOf(register_error)}</p>}
      </AppStep>
      <AppStep
        state={first_interaction_at === null ? 'waiting' : 'done'}
        title={t('admin.discordApp.steps.endpoint.title')}
      >
        {endpoint_url === null ? (
          <p>{t('admin.discordApp.steps.endpoint.noAddress')}</p>
        ) : (
          <>
            {first_interaction_at === null ? (
              <p>{t('admin.discordApp.steps.endpoint.text')}</p>
            ) : null}
            <p className={styles.address}>
              <CopyableCode
                text={endpoint_url}
                copyLabel={t('admin.discordApp.steps.endpoint.copy')}
              />
            </p>
          </>
        )}
        {first_interaction_at === null ? (
          <details className={styles.trouble}>
            <summary>{t('admin.discordApp.steps.endpoint.trouble.title')}</summary>
            <ul>
              {(['address', 'key', 'clock'] as const).map((cause) => (
                <li key={cause}>{t(`admin.discordApp.steps.endpoint.trouble.${cause}`)}</li>
              ))}
            </ul>
          </details>
        ) : (
          <p>
            {t('admin.discordApp.steps.endpoint.done', { time: timeText(first_interaction_at) })}
          </p>
        )}
      </AppStep>
      {invite_url === null ? null : (
        <AppStep
          title={t('admin.discordApp.steps.invite.title')}
          action={
            <Cluster>
              <CopyInvite url={invite_url} />
              <a
                href={invite_url}
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ small: true })}
              >
                {t('admin.discordApp.steps.invite.open')}
              </a>
            </Cluster>
          }
        >
          <p>{t('admin.discordApp.steps.invite.text')}</p>
        </AppStep>
      )}
      <MembersStep />
      {message_error === null ? null : (
        <AppStep state="failed" title={t('admin.discordApp.steps.messages.title')}>
          <p className="bad">{reasonOf(message_error)}</p>
        </AppStep>
      )}
    </StepList>
  );
}

/** For an owner of the board who does not manage the Discord server. */
function CopyInvite({ url }: { url: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(url);
  return (
    <>
      <Button small onClick={copy}>
        {t(copied ? 'shell.profile.copied' : 'admin.discordApp.steps.invite.copy')}
      </Button>
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}

function RegisterButton(): ReactNode {
  const { t } = useTranslation();
  const register = useAction({
    work: registerDiscordCommands,
    done: async (setup) => {
      await replaceAnswer<DiscordSetup>(QUERY.queryKey, setup);
      if (setup.app?.register_error === null) showToast({ text: t('admin.discordApp.registered') });
    },
    failed: (reason) => t('admin.discordApp.registerFailed', { reason }),
  });
  return (
    <Button small busy={register.isBusy} onClick={() => register.run()}>
      {t('admin.discordApp.register')}
    </Button>
  );
}

const useConnectedCount = (): number =>
  useBoard((board) => [...board.byKind.access_key.values()].filter(isConnected).length);

function MembersStep(): ReactNode {
  const { t } = useTranslation();
  const count = useConnectedCount();
  return (
    <AppStep
      state={count > 0 ? 'done' : 'waiting'}
      title={t('admin.discordApp.steps.members.title')}
      action={
        count > 0 ? (
          <ButtonLink small to={`${placeAddress('keys')}?discord=1`}>
            {t('admin.discordApp.steps.members.show')}
          </ButtonLink>
        ) : null
      }
    >
      <p>
        {count > 0
          ? t('admin.discordApp.steps.members.count', { count })
          : t('admin.discordApp.steps.members.none')}
      </p>
    </AppStep>
  );
}

function RemoveApp({ focusAfter }: { focusAfter: RefObject<HTMLElement | null> }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = async (): Promise<void> => {
    await removeDiscordApp();
    await replaceAnswer<DiscordSetup>(
      QUERY.queryKey,
      (before) => before && { ...before, invite_url: null, app: null },
    );
    showToast({ text: t('admin.discordApp.removed') });
  };
  return (
    <div className={styles.remove}>
      <Button
        variant="danger"
        onClick={() =>
          confirm({
            title: t('admin.discordApp.remove.title'),
            text: <RemoveText />,
            confirmLabel: t('admin.discordApp.remove.confirm'),
            onConfirm: remove,
            errorText: (error) => t('admin.discordApp.remove.failed', { reason: errorText(error) }),
            focusAfter,
          })
        }
      >
        {t('admin.discordApp.remove.label')}
      </Button>
    </div>
  );
}

function RemoveText(): ReactNode {
  const { t } = useTranslation();
  const count = useConnectedCount();
  return (
    <>
      <p>{t('admin.discordApp.remove.text')}</p>
      {count > 0 ? <p>{t('admin.discordApp.remove.connected', { count })}</p> : null}
    </>
  );
}
