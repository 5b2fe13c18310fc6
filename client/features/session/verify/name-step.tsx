import { type ReactNode, type SubmitEvent, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { gameName, nameKey } from '../../../../shared/rules/names.ts';
import { isCharacterVerified } from '../../../api/calls.ts';
import { useServerQuery } from '../../../api/query.ts';
import { useKeptRequest } from '../../../lib/claim-request.ts';
import { useFocusOnMount } from '../../../lib/use-focus-on-mount.ts';
import { serverNow } from '../../../state/clock.ts';
import { pendingOf, pendingVerifications } from '../../../state/pending-verifications.ts';
import { switchProfile, useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Step, StepList } from '../../../ui/step-list.tsx';
import { CodeFailureAlert, likelySpelling, useCodeRequest } from './code-request.tsx';
import { pathOf, StepsFrame, type VerificationSettings } from './steps-frame.tsx';
import styles from './verify-page.module.css';

/** The longest name that the game gives. */
const MAX_LENGTH = 29;

export function NameStep({
  name,
  settings,
}: {
  name: string;
  settings: VerificationSettings;
}): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keptRequest = useKeptRequest();
  const [typed, setTyped] = useState(name);
  const goOn = (characterName: string): void => {
    // Where the address names the character already, going back leads away and not to the same page.
    void navigate(pathOf(characterName), {
      state: keptRequest,
      replace: nameKey(characterName) === nameKey(name),
    });
  };
  const { isBusy, failure, request, forget } = useCodeRequest(goOn);
  const check = useNameCheck(typed, name);
  const field = useFocusOnMount<HTMLInputElement>();

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    // A code that waits for this name may be in the comment already: another one would take its place.
    const kept = pendingOf(pendingVerifications(), typed);
    const isValid = kept && Date.parse(kept.expiresAt) > serverNow().getTime();
    if (isValid) goOn(kept.characterName);
    else request(typed);
  };

  return (
    <StepsFrame stage="name" settings={settings}>
      <Panel title={t('verify.name.title')}>
        <Stack noValidate gap={4} as="form" onSubmit={submit}>
          <Field
            label={t('verify.name.label')}
            hint={t('verify.name.hint')}
            error={failure?.isOfName ? failure.text : undefined}
          >
            <TextInput
              ref={field}
              name="character-name"
              autoComplete="off"
              autoCapitalize="words"
              spellCheck={false}
              maxLength={2 * MAX_LENGTH}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value);
                forget();
              }}
            />
          </Field>
          {settings.guild_name ? (
            <p className={styles.quiet}>
              {t('errors.verification.notInGuild', { guild_name: settings.guild_name })}
            </p>
          ) : null}
          <NameNotice check={check} />
          {failure && !failure.isOfName ? <CodeFailureAlert {...failure} /> : null}
          <Cluster stacked>
            <Button type="submit" variant="primary" busy={isBusy}>
              {check.kind === 'elsewhere'
                ? t('verify.name.verifyAgain')
                : t('verify.name.generate')}
            </Button>
          </Cluster>
        </Stack>
      </Panel>
      {settings.character_check === 'manual' ? <ManualSteps /> : null}
    </StepsFrame>
  );
}

function NameNotice({ check }: { check: NameCheck }): ReactNode {
  const { t } = useTranslation();
  const keptRequest = useKeptRequest();
  if (check.kind === 'unknown') return null;
  const title = t('verify.name.verified', { name: check.characterName });
  if (check.kind === 'here') {
    return (
      <Alert tone="good" title={title}>
        {t('verify.name.verifiedHere')}
      </Alert>
    );
  }
  return (
    <Alert
      tone="accent"
      title={title}
      action={
        <ButtonLink small to="/login?type=access-key" state={keptRequest}>
          {t('board.visitor.login')}
        </ButtonLink>
      }
    >
      {t('verify.name.verifiedElsewhere')}
    </Alert>
  );
}

/** How to get a key where admins hand them out. */
function ManualSteps(): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel title={t('verify.manual.title')}>
      <StepList>
        <Step title={t('verify.manual.ask.title')}>
          <p>{t('verify.manual.ask.text')}</p>
        </Step>
        <Step title={t('verify.manual.login.title')}>
          <p>{t('verify.manual.login.text')}</p>
        </Step>
        <Step title={t('verify.manual.claim.title')}>
          <p>{t('verify.manual.claim.text')}</p>
        </Step>
      </StepList>
    </Panel>
  );
}

/** Section 9 of the specification: names longer than this are checked, after this pause. */
const UNCHECKED_LENGTH = 2;
const CHECK_PAUSE_MS = 500;
const REDIRECT_AFTER_MS = 2000;

/** `elsewhere`: verified before, without a session here. `here`: this browser holds its key, and is led to the claims. */
type NameCheck = { kind: 'unknown' } | { kind: 'elsewhere' | 'here'; characterName: string };

/**
 * Whether the character whose name is being typed was verified before. A check that fails says nothing: it is a courtesy.
 * @param addressed the character of the address; empty: none
 */
function useNameCheck(typed: string, addressed: string): NameCheck {
  const name = gameName(typed);
  const [settledName, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(name), CHECK_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [name]);
  const { data } = useServerQuery({
    queryKey: ['isCharacterVerified', name],
    queryFn: ({ signal }) => isCharacterVerified(name, signal),
    enabled: settledName === name && name.length > UNCHECKED_LENGTH,
  });

  const isChecked = useSession((session) => session.status === 'ready');
  const here = useSession((session) =>
    session.profiles.find((profile) => nameKey(profile.characterName) === nameKey(name)),
  );
  const isVerified = data?.isVerified === true && isChecked;
  useRedirect(isVerified && here ? here.characterName : null, addressed);
  if (!isVerified) return { kind: 'unknown' };
  return here
    ? { kind: 'here', characterName: here.characterName }
    : { kind: 'elsewhere', characterName: likelySpelling(name) };
}

/** Leads to the claims of a character that is signed in here, after a moment in which that can be read. */
function useRedirect(characterName: string | null, addressed: string): void {
  const navigate = useNavigate();
  const { requested_claim } = useKeptRequest();
  const go = useEffectEvent((name: string) => {
    switchProfile(name);
    // Replace an address that redirects: Back would lead to it, and forward again.
    void navigate(
      { pathname: '/input', search: requested_claim },
      { replace: nameKey(name) === nameKey(addressed) },
    );
  });
  useEffect(() => {
    if (characterName === null) return;
    const timer = setTimeout(() => go(characterName), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [characterName]);
}
