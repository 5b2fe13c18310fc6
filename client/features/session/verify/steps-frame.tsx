import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { useKeptRequest } from '../../../lib/claim-request.ts';
import {
  forgetVerification,
  type PendingVerification,
  usePendingVerifications,
} from '../../../state/pending-verifications.ts';
import { useTimeLeft } from '../../../state/time-left.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Cluster, Stack } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useCodeRequest } from './code-request.tsx';
import styles from './steps-frame.module.css';
import { clearAttempt, savedAttempt } from './verification-check.ts';
import page from './verify-page.module.css';

export type VerificationSettings = Pick<Config, 'character_check' | 'guild_name'>;

interface StepsFrameProps {
  stage: Stage;
  settings: VerificationSettings;
  /** The character in view: its code is not listed beside it. */
  inView?: string;
  children: ReactNode;
}

/** The frame of every step: progress, other pending codes, and the way to log in. */
export function StepsFrame({ stage, settings, inView, children }: StepsFrameProps): ReactNode {
  const { t } = useTranslation();
  const keptRequest = useKeptRequest();
  const isManual = settings.character_check === 'manual';
  return (
    <>
      <p className={page.intro}>{isManual ? t('verify.manual.intro') : t('verify.intro')}</p>
      <StageStrip stage={stage} isManual={isManual} />
      <div className={page.columns}>
        <div className={page.steps} data-unsaved={stage === 'name' ? undefined : ''}>
          {children}
        </div>
        <div className={page.aside}>
          <PendingList except={inView} />
          {stage === 'key' || stage === 'done' ? null : (
            <Panel title={t('verify.haveKey.title')}>
              <p className={page.quiet}>{t('verify.haveKey.text')}</p>
              <ButtonLink to="/login?type=access-key" state={keptRequest} wide>
                {t('board.visitor.login')}
              </ButtonLink>
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}

const STAGES = ['name', 'code', 'check', 'key'] as const;
/** `done`: all of them. */
type Stage = (typeof STAGES)[number] | 'done';

function StageStrip({ stage, isManual }: { stage: Stage; isManual: boolean }): ReactNode {
  const { t } = useTranslation();
  const at = stage === 'done' ? STAGES.length : STAGES.indexOf(stage);
  return (
    <ol className={styles.stages} aria-label={t('verify.stages.label')}>
      {STAGES.map((each, index) => (
        <li
          key={each}
          className={classes(styles.stage, index < at && styles.done, index === at && styles.now)}
          aria-current={index === at ? 'step' : undefined}
        >
          {isManual ? t(`verify.stages.manual.${each}`) : t(`verify.stages.${each}`)}
        </li>
      ))}
    </ol>
  );
}

/** Every code that this browser keeps, but the one in view. */
function PendingList({ except = '' }: { except?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const [toDelete, setToDelete] = useState<PendingVerification | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = usePendingVerifications().filter(
    (pending) => nameKey(pending.characterName) !== nameKey(except),
  );
  return (
    <>
      {list.length > 0 ? (
        <Panel>
          <h2 ref={heading} tabIndex={-1} className={`${styles.title} no-ring`}>
            {t('verify.pending.title')}
          </h2>
          <ul className={styles.list}>
            {list.map((pending) => (
              <PendingRow
                key={nameKey(pending.characterName)}
                pending={pending}
                onDelete={() => setToDelete(pending)}
              />
            ))}
          </ul>
        </Panel>
      ) : null}
      <DeleteDialog
        pending={toDelete}
        confirmLabel={t('verify.pending.confirm')}
        onClose={() => setToDelete(null)}
        focusAfter={heading}
      />
    </>
  );
}

function PendingRow({
  pending,
  onDelete,
}: {
  pending: PendingVerification;
  onDelete: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const keptRequest = useKeptRequest();
  const expiryText = useExpiryText();
  const left = useTimeLeft(pending.expiresAt);
  const name = pending.characterName;
  const { isBusy, failure, request } = useCodeRequest(
    () => void navigate(pathOf(name), { state: keptRequest }),
  );
  return (
    <Stack as="li" gap={1} className={styles.row}>
      <Cluster as="p" className={styles.name}>
        {name}
        {left === 0 ? <Badge tone="bad">{t('verify.pending.expired')}</Badge> : null}
        {pending.verification_token === null ? (
          <Badge tone="bad">{t('verify.test.title')}</Badge>
        ) : null}
      </Cluster>
      <p className={styles.code}>
        <code>{pending.code}</code>
        {left > 0 ? ` · ${expiryText(left)}` : null}
      </p>
      {failure ? <Alert tone="bad">{failure.text}</Alert> : null}
      <Cluster align="start" className={styles.actions}>
        {left === 0 ? (
          <Button
            small
            busy={isBusy}
            aria-label={t('verify.pending.renewName', { name })}
            onClick={() => request(name)}
          >
            {t('verify.code.another')}
          </Button>
        ) : (
          <ButtonLink
            small
            to={pathOf(name)}
            state={keptRequest}
            aria-label={t('verify.pending.continueName', { name })}
          >
            {t('verify.pending.continue')}
          </ButtonLink>
        )}
        <Button
          small
          variant="danger"
          aria-label={t('verify.pending.deleteName', { name })}
          onClick={onDelete}
        >
          {t('common.delete')}
        </Button>
      </Cluster>
    </Stack>
  );
}

export const pathOf = (characterName: string): string =>
  `/verify/${encodeURIComponent(characterName)}`;

interface DeleteDialogProps {
  /** The one to delete; null closes the dialog. */
  pending: PendingVerification | null;
  confirmLabel: string;
  onClose: () => void;
  onDeleted?: () => void;
  focusAfter?: RefObject<HTMLElement | null>;
}

/** Confirms before deleting a code: it may already be in the character's comment. */
export function DeleteDialog({
  pending,
  confirmLabel,
  onClose,
  onDeleted,
  focusAfter,
}: DeleteDialogProps): ReactNode {
  const { t } = useTranslation();
  // The words stay while the dialog closes.
  const [last, setLast] = useState(pending);
  if (pending && pending !== last) setLast(pending);
  const { characterName = '', code = '' } = last ?? {};
  return (
    <ConfirmDialog
      open={pending !== null}
      onOpenChange={(open) => open || onClose()}
      title={t('verify.startOver.title', { name: characterName })}
      text={t('verify.startOver.text', { code })}
      confirmLabel={confirmLabel}
      focusAfter={focusAfter}
      onConfirm={() => {
        if (!pending) return;
        if (savedAttempt(pending.code) !== null) clearAttempt();
        forgetVerification(pending);
        onDeleted?.();
      }}
    />
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A code of 24 hours has 24 hours left, though the clocks' distance is known to the second only. */
const NEARLY_MS = MINUTE_MS;

/** "Expires in 24 hours", within the last hour in minutes. */
export function useExpiryText(): (left: number) => string {
  const { t } = useTranslation();
  return (left) =>
    left > HOUR_MS
      ? t('verify.code.expiresInHours', { count: Math.ceil((left - NEARLY_MS) / HOUR_MS) })
      : t('verify.code.expiresInMinutes', { count: Math.ceil(left / MINUTE_MS) });
}
