import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import { gameName, nameKey } from '../../../../shared/rules/names.ts';
import { useServerQuery } from '../../../api/query.ts';
import { getConfig } from '../../../api/session-calls.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import {
  forgetVerification,
  type PendingVerification,
  pendingOf,
  usePendingVerifications,
} from '../../../state/pending-verifications.ts';
import { savedProfiles } from '../../../state/saved-sessions.ts';
import { addProfile, useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { DiscordPending, useConnectDiscord } from '../discord-connect.tsx';
import { CodeStep } from './code-step.tsx';
import { SuccessStep, VerifiedStep } from './done-steps.tsx';
import { NameStep } from './name-step.tsx';
import type { VerificationSettings } from './steps-frame.tsx';
import type { CheckEnd } from './verification-check.ts';
import styles from './verify-page.module.css';

/** From a character's name to its access key; the address names the character whose verification is in view. */
export function VerifyPage(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { characterName = '' } = useParams();
  const { settings, error, retry } = useVerificationSettings();
  usePageTitle(t('shell.verifyCharacter'));
  const name = gameName(characterName);
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('verify.title')}</h1>
      <DiscordPending />
      {settings ? (
        <Verification key={nameKey(name)} name={name} settings={settings} />
      ) : error ? (
        <Alert
          tone="bad"
          action={
            <Button small onClick={retry}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {errorText(error)}
        </Alert>
      ) : (
        <VerificationSkeleton />
      )}
    </div>
  );
}

/** The live board's settings where there is a board; visitors have none, and read them. Settings once known stay, or a step would lose its state. */
function useVerificationSettings(): {
  settings: VerificationSettings | null;
  error: unknown;
  retry: () => void;
} {
  const live = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const [last, setLast] = useState<VerificationSettings | null>(null);
  const { data, error, isFetching, refetch } = useServerQuery({
    queryKey: ['config'],
    queryFn: getConfig,
    enabled: live === undefined,
  });
  const known = live ?? data ?? null;
  if (known && known !== last) setLast(known);
  return { settings: known ?? last, error: isFetching ? null : error, retry: () => void refetch() };
}

function VerificationSkeleton(): ReactNode {
  return (
    <Loading>
      <Skeleton width="60%" className={styles.introSkeleton} />
      <Skeleton height={44} className={styles.stagesSkeleton} />
      <Panel>
        <Skeleton width="40%" />
        <Skeleton height={38} className={styles.fieldSkeleton} />
        <Skeleton width={140} height={38} className={styles.fieldSkeleton} />
      </Panel>
    </Loading>
  );
}

interface VerificationProps {
  /** The character of the address; empty: none yet. */
  name: string;
  settings: VerificationSettings;
}

type Done =
  | { kind: 'key'; characterName: string; memberType: string; accessKey: string }
  | { kind: 'verified'; characterName: string };

/** Which of the steps is in view: the result there is, else the code that is kept for the name, else the name. */
function Verification({ name, settings }: VerificationProps): ReactNode {
  const list = usePendingVerifications();
  const pending = name ? pendingOf(list, name) : undefined;
  const [done, setDone] = useState<Done | null>(null);
  const connectDiscord = useConnectDiscord();
  useKeyOfOtherTab(name, pending, (found) => setDone((own) => own ?? found));

  const finish = (finished: PendingVerification, end: CheckEnd): void => {
    if (end.kind !== 'key' && end.kind !== 'verified') return;
    setDone(end);
    if (end.kind === 'key') {
      const { characterName, memberType, accessKey } = end;
      const profile = {
        characterName,
        memberType,
        accessKey,
        isVerified: true,
        createdAt: new Date().toISOString(),
      };
      addProfile(profile);
      connectDiscord(profile);
    }
    // Last: other tabs look for the key when the code is gone.
    forgetVerification(finished);
  };

  if (done?.kind === 'key') return <SuccessStep {...done} settings={settings} />;
  if (done) return <VerifiedStep characterName={done.characterName} settings={settings} />;
  if (pending)
    return (
      <CodeStep
        key={pending.code}
        pending={pending}
        settings={settings}
        onEnd={(end) => finish(pending, end)}
      />
    );
  return <NameStep name={name} settings={settings} />;
}

/** The code in view is gone from the cookies, and a key is there that was not before: another tab had success. */
function useKeyOfOtherTab(
  name: string,
  pending: PendingVerification | undefined,
  onKey: (done: Done) => void,
): void {
  const connectDiscord = useConnectDiscord();
  const was = useRef(pending);
  const [keysBefore] = useState(
    () => new Set(useSession.getState().profiles.map((profile) => profile.accessKey)),
  );
  const look = useEffectEvent(() => {
    const profile = savedProfiles().find((saved) => nameKey(saved.characterName) === nameKey(name));
    if (!profile || keysBefore.has(profile.accessKey)) return;
    addProfile(profile);
    connectDiscord(profile);
    onKey({ kind: 'key', ...profile });
  });
  useEffect(() => {
    const before = was.current;
    was.current = pending;
    if (before && !pending) look();
  }, [pending]);
}
