import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './verify-page.module.css';

/** How to come by a key where an admin hands them out. */
export function VerifyPage(): ReactNode {
  const { t } = useTranslation();
  const { characterName: name } = useParams();
  usePageTitle(t('shell.verifyCharacter'));
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('verify.title')}</h1>
      <p className={styles.intro}>{t('verify.intro')}</p>
      <Panel>
        <ol className={styles.steps}>
          <Step title={t('verify.steps.ask.title')}>{name ? t('verify.steps.ask.textNamed', { name }) : t('verify.steps.ask.text')}</Step>
          <Step title={t('verify.steps.login.title')}>{t('verify.steps.login.text')}</Step>
          <Step title={t('verify.steps.claim.title')}>{t('verify.steps.claim.text')}</Step>
        </ol>
        <ButtonLink to="/login?type=access-key" variant="primary">
          {t('verify.login')}
        </ButtonLink>
      </Panel>
    </div>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <li className={styles.step}>
      <h2>{title}</h2>
      <p>{children}</p>
    </li>
  );
}
