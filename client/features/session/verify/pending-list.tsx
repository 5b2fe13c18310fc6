import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { nameKey } from '../../../../shared/rules/names.ts';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { useIsMounted } from '../../../lib/use-is-mounted.ts';
import { type PendingVerification, usePendingVerifications } from '../../../state/pending-verifications.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import styles from './pending-list.module.css';
import { useCodeRequest } from './use-code-request.ts';
import { useExpiryText, useTimeLeft } from './use-time-left.ts';

/** Every code that this browser keeps, but the one in view. */
export function PendingList({ except = '' }: { except?: string | undefined }): ReactNode {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<PendingVerification | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const list = usePendingVerifications().filter((pending) => nameKey(pending.characterName) !== nameKey(except));
  return (
    <>
      {list.length > 0 ? (
        <Panel>
          <h2 ref={heading} tabIndex={-1} className={styles.title}>
            {t('verify.pending.title')}
          </h2>
          <ul className={styles.list}>
            {list.map((pending) => (
              <PendingRow key={nameKey(pending.characterName)} pending={pending} onDelete={() => setAsked(pending)} />
            ))}
          </ul>
        </Panel>
      ) : null}
      <DeleteDialog pending={asked} confirmLabel={t('verify.pending.confirm')} onClose={() => setAsked(null)} focusAfter={heading} />
    </>
  );
}

function PendingRow({ pending, onDelete }: { pending: PendingVerification; onDelete: () => void }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const asked = useAskedClaim();
  const { busy, failure, request } = useCodeRequest();
  const expiryText = useExpiryText();
  const isMounted = useIsMounted();
  const left = useTimeLeft(pending.expiresAt);
  const name = pending.characterName;
  const renew = async (): Promise<void> => {
    const isRenewed = await request(name);
    if (isRenewed && isMounted()) void navigate(pathOf(name), { state: asked });
  };
  return (
    <li className={styles.row}>
      <p className={styles.name}>
        {name}
        {left === 0 ? <Badge tone="bad">{t('verify.pending.expired')}</Badge> : null}
        {pending.verification_token === null ? <Badge tone="bad">{t('verify.test.title')}</Badge> : null}
      </p>
      <p className={styles.code}>
        <code>{pending.code}</code>
        {left > 0 ? ` · ${expiryText(left)}` : null}
      </p>
      {failure ? <Alert tone="bad">{failure.text}</Alert> : null}
      <div className={styles.actions}>
        {left === 0 ? (
          <Button small busy={busy} aria-label={t('verify.pending.renewName', { name })} onClick={() => void renew()}>
            {t('verify.code.another')}
          </Button>
        ) : (
          <ButtonLink small to={pathOf(name)} state={asked} aria-label={t('verify.pending.continueName', { name })}>
            {t('verify.pending.continue')}
          </ButtonLink>
        )}
        <Button small variant="danger" aria-label={t('verify.pending.deleteName', { name })} onClick={onDelete}>
          {t('common.delete')}
        </Button>
      </div>
    </li>
  );
}

/** The page of a character's verification. */
export const pathOf = (characterName: string): string => `/verify/${encodeURIComponent(characterName)}`;
