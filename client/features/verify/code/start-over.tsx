import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import type { PendingVerification } from '../../../store/pending-verifications.ts';
import { Button } from '../../../ui/button.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import styles from './code-step.module.css';

/** Away from the code in view: to another name, which keeps it, or to the start, which does not. */
export function StartOver({ pending }: { pending: PendingVerification }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const asked = useAskedClaim();
  const [isAsked, setIsAsked] = useState(false);
  return (
    <div className={styles.below}>
      <ButtonLink to="/verify" state={asked} variant="quiet">
        {t('verify.startOver.other')}
      </ButtonLink>
      <Button variant="danger" onClick={() => setIsAsked(true)}>
        {t('verify.startOver.action')}
      </Button>
      <DeleteDialog
        pending={isAsked ? pending : null}
        confirmLabel={t('verify.startOver.action')}
        onClose={() => setIsAsked(false)}
        onDeleted={() => void navigate('/verify', { state: asked })}
      />
    </div>
  );
}
