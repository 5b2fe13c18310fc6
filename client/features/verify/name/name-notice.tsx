import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { Alert } from '../../../ui/alert.tsx';
import { ButtonLink } from '../../../ui/button-link.tsx';
import type { NameCheck } from './use-name-check.ts';

/** What is known of the name before a code is asked for. */
export function NameNotice({ check }: { check: NameCheck }): ReactNode {
  const { t } = useTranslation();
  const asked = useAskedClaim();
  if (check.is === 'unknown') return null;
  const title = t('verify.name.verified', { name: check.characterName });
  if (check.is === 'here') {
    return (
      <Alert tone="good" title={title}>
        {t('verify.name.here')}
      </Alert>
    );
  }
  return (
    <Alert
      tone="accent"
      title={title}
      action={
        <ButtonLink small to="/login?type=access-key" state={asked}>
          {t('verify.login')}
        </ButtonLink>
      }
    >
      {t('verify.name.elsewhere')}
    </Alert>
  );
}
