import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './verify-parts.module.css';

const ACCOUNT_PAGE = 'https://www.tibia.com/account/?subtopic=accountmanagement';
const characterPage = (name: string): string =>
  `https://www.tibia.com/community/?${new URLSearchParams({ subtopic: 'characters', name })}`;

/** Where on the game's website a comment is edited, step by step. */
export function CommentInstructions({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Instructions>
      <Instruction title={t('verify.comment.account.title')}>
        {t('verify.comment.account.text', { name })}{' '}
        <Outside to={ACCOUNT_PAGE}>{t('verify.comment.account.link')}</Outside>
      </Instruction>
      <Instruction title={t('verify.comment.edit.title', { name })}>
        {t('verify.comment.edit.text')}
      </Instruction>
      <Instruction title={t('verify.comment.paste.title')}>
        {t('verify.comment.paste.text')}{' '}
        <Outside to={characterPage(name)}>{t('verify.comment.paste.link')}</Outside>
      </Instruction>
    </Instructions>
  );
}

/** What to do with the code where an admin verifies. */
export function AdminInstructions({ name, code }: { name: string; code: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Instructions>
      <Instruction title={t('verify.manual.ask.title')}>
        {t('verify.manual.ask.textNamed', { name, code })}
      </Instruction>
      <Instruction title={t('verify.manual.login.title')}>
        {t('verify.manual.login.text')}
      </Instruction>
    </Instructions>
  );
}

export function Instructions({ children }: { children: ReactNode }): ReactNode {
  return <ol className={styles.instructions}>{children}</ol>;
}

export function Instruction({
  title,
  children,
}: {
  title: string;
  children: ReactNode;
}): ReactNode {
  return (
    <li className={styles.instruction}>
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  );
}

function Outside({ to, children }: { to: string; children: ReactNode }): ReactNode {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
