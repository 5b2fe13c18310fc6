import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Step, StepList } from '../../../ui/step-list.tsx';
import styles from './verify-page.module.css';

const ACCOUNT_PAGE = 'https://www.tibia.com/account/?subtopic=accountmanagement';
const characterPage = (name: string): string =>
  `https://www.tibia.com/community/?${new URLSearchParams({ subtopic: 'characters', name })}`;

/** How to edit the comment on the game's website, step by step. */
export function CommentInstructions({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <StepList>
      <Step title={t('verify.comment.account.title')}>
        <p>
          {t('verify.comment.account.text', { name })}{' '}
          <Outside to={ACCOUNT_PAGE}>{t('verify.comment.account.link')}</Outside>
        </p>
      </Step>
      <Step title={t('verify.comment.edit.title', { name })}>
        <p>{t('verify.comment.edit.text')}</p>
      </Step>
      <Step title={t('verify.comment.paste.title')}>
        <p>
          {t('verify.comment.paste.text')}{' '}
          <Outside to={characterPage(name)}>{t('verify.comment.paste.link')}</Outside>
        </p>
      </Step>
    </StepList>
  );
}

/** Instructions for guilds in which an admin verifies. */
export function AdminInstructions({ name, code }: { name: string; code: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <StepList>
      <Step title={t('verify.manual.ask.title')}>
        <p>{t('verify.manual.ask.textNamed', { name, code })}</p>
      </Step>
      <Step title={t('verify.manual.login.title')}>
        <p>{t('verify.manual.login.text')}</p>
      </Step>
    </StepList>
  );
}

function Outside({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <a href={to} target="_blank" rel="noreferrer" className={`${styles.outside} accent-link`}>
      {children}
    </a>
  );
}
