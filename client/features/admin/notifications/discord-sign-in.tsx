import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DiscordSignInSetup, discordSignInInput } from '../../../../shared/schemas/discord.ts';
import {
  getDiscordSignIn,
  removeDiscordSignIn,
  saveDiscordSignIn,
} from '../../../api/admin-calls.ts';
import { replaceAnswer, useServerQuery } from '../../../api/query.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { confirm } from '../../../state/overlays.ts';
import { Alert, FailedLoad } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyableCode } from '../../../ui/copyable-code.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { PasswordInput } from '../../../ui/fields/inputs.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { StepList } from '../../../ui/step-list.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { AppStep } from './app-step.tsx';
import { useTimeText } from './channel-words.ts';
import styles from './discord-app.module.css';

/** Of one app: another one's client secret is another query. */
const queryOf = (application_id: string) => ({
  queryKey: ['discord sign-in', application_id],
  queryFn: ({ signal }: { signal: AbortSignal }) => getDiscordSignIn(signal),
});
const INTERVAL_MS = 15_000;

/** Signing in with Discord: the address to paste there, the client secret, and whether it works. */
export function DiscordSignInSection({ application_id }: { application_id: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const query = queryOf(application_id);
  const { data, error, refetch } = useServerQuery({ ...query, refetchInterval: INTERVAL_MS });
  const keep = (setup: DiscordSignInSetup): Promise<void> =>
    replaceAnswer<DiscordSignInSetup>(query.queryKey, setup);
  return (
    <section aria-labelledby={id} className={styles.part}>
      <h3 id={id} className={styles.subtitle}>
        {t('admin.discordApp.signIn.title')}
      </h3>
      <p className="muted">{t('admin.discordApp.signIn.text')}</p>
      {data ? (
        <Steps setup={data} keep={keep} />
      ) : error ? (
        <FailedLoad
          sentence={t('admin.discordApp.signIn.loadFailed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : (
        <Loading>
          <Skeleton height={120} />
        </Loading>
      )}
    </section>
  );
}

interface StepsProps {
  setup: DiscordSignInSetup;
  keep: (setup: DiscordSignInSetup) => Promise<void>;
}

function Steps({ setup, keep }: StepsProps): ReactNode {
  const { t } = useTranslation();
  const timeText = useTimeText();
  const { redirect_url, secret } = setup;
  const first = secret?.first_sign_in_at ?? null;
  const error = secret?.error ?? null;
  return (
    <StepList look="rows">
      <AppStep
        state={first === null ? 'waiting' : 'done'}
        title={t('admin.discordApp.signIn.steps.redirect')}
      >
        {redirect_url === null ? (
          <p>{t('admin.discordApp.signIn.noAddress')}</p>
        ) : (
          <>
            {first === null ? <p>{t('admin.discordApp.signIn.redirect')}</p> : null}
            <p className={styles.address}>
              <CopyableCode
                text={redirect_url}
                copyLabel={t('admin.discordApp.signIn.copyRedirect')}
              />
            </p>
          </>
        )}
      </AppStep>
      <SecretStep setup={setup} keep={keep} />
      {secret === null ? null : (
        <AppStep
          state={error !== null ? 'failed' : first === null ? 'waiting' : 'done'}
          title={t('admin.discordApp.signIn.steps.first')}
        >
          <p>
            {first === null
              ? t('admin.discordApp.signIn.none')
              : t('admin.discordApp.signIn.first', { time: timeText(first) })}
          </p>
          {error === null ? null : (
            <p className="bad">{t(`admin.discordApp.signIn.error.${error}`)}</p>
          )}
        </AppStep>
      )}
    </StepList>
  );
}

function SecretStep({ setup, keep }: StepsProps): ReactNode {
  const { t } = useTranslation();
  const timeText = useTimeText();
  const [isEditing, setEditing] = useState(false);
  const { secret } = setup;
  const saved = async (next: DiscordSignInSetup): Promise<void> => {
    await keep(next);
    setEditing(false);
    showToast({ text: t('admin.discordApp.signIn.on') });
  };
  return (
    <AppStep
      state={secret === null ? 'waiting' : 'done'}
      title={t('admin.discordApp.signIn.steps.secret')}
      action={
        secret === null ? null : (
          <Cluster>
            <Button small onClick={() => setEditing((before) => !before)}>
              {t('admin.discordApp.signIn.replace')}
            </Button>
            <TurnOff onOff={() => keep({ ...setup, secret: null })} />
          </Cluster>
        )
      }
    >
      {secret === null ? null : (
        <p>{t('admin.discordApp.signIn.saved', { time: timeText(secret.saved_at) })}</p>
      )}
      {secret === null || isEditing ? <SecretForm onSaved={saved} /> : null}
    </AppStep>
  );
}

function SecretForm({
  onSaved,
}: {
  onSaved: (setup: DiscordSignInSetup) => Promise<void>;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [typed, setTyped] = useState('');
  const [isInvalid, setInvalid] = useState(false);
  const save = useAction({ work: saveDiscordSignIn, done: onSaved });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const { data } = discordSignInInput.safeParse({ client_secret: typed });
    setInvalid(!data);
    if (data) save.run(data.client_secret);
  };
  return (
    <Stack gap={3} as="form" noValidate onSubmit={submit}>
      <Field
        label={t('admin.discordApp.signIn.label')}
        hint={t('admin.discordApp.signIn.secret')}
        error={isInvalid ? t('admin.discordApp.signIn.invalid') : undefined}
      >
        <PasswordInput
          autoComplete="off"
          maxLength={250}
          showLabel={t('admin.discordApp.signIn.show')}
          hideLabel={t('admin.discordApp.signIn.hide')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
      {save.failure ? (
        <Alert tone="bad">
          {t('admin.discordApp.signIn.saveFailed', { reason: errorText(save.failure) })}
        </Alert>
      ) : null}
      <Cluster>
        <Button type="submit" variant="primary" busy={save.isBusy}>
          {t('admin.discordApp.signIn.save')}
        </Button>
      </Cluster>
    </Stack>
  );
}

function TurnOff({ onOff }: { onOff: () => Promise<void> }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = async (): Promise<void> => {
    await removeDiscordSignIn();
    await onOff();
    showToast({ text: t('admin.discordApp.signIn.off') });
  };
  return (
    <Button
      small
      onClick={() =>
        confirm({
          title: t('admin.discordApp.signIn.confirm.title'),
          text: t('admin.discordApp.signIn.confirm.text'),
          confirmLabel: t('admin.discordApp.signIn.turnOff'),
          onConfirm: remove,
          errorText: (error) =>
            t('admin.discordApp.signIn.removeFailed', { reason: errorText(error) }),
        })
      }
    >
      {t('admin.discordApp.signIn.turnOff')}
    </Button>
  );
}
