import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';
import styles from './verify-parts.module.css';

/** A code or a key in large letters, to be copied with one press, which is confirmed for two seconds. */
export function CopyBox({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <div className={styles.box}>
      <code className={styles.text}>{text}</code>
      <Button onClick={copy} className={styles.copy}>
        {copied ? <CheckIcon /> : <CopyIcon />}
        <span role="status">{copied ? t('shell.profile.copied') : label}</span>
      </Button>
    </div>
  );
}

const ACCOUNT_PAGE = 'https://www.tibia.com/account/?subtopic=accountmanagement';
const characterPage = (name: string): string => `https://www.tibia.com/community/?${new URLSearchParams({ subtopic: 'characters', name })}`;

/** Where on the game's website a comment is edited, step by step. */
export function CommentInstructions({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Instructions>
      <Instruction title={t('verify.comment.account.title')}>
        {t('verify.comment.account.text', { name })} <Outside to={ACCOUNT_PAGE}>{t('verify.comment.account.link')}</Outside>
      </Instruction>
      <Instruction title={t('verify.comment.edit.title', { name })}>{t('verify.comment.edit.text')}</Instruction>
      <Instruction title={t('verify.comment.paste.title')}>
        {t('verify.comment.paste.text')} <Outside to={characterPage(name)}>{t('verify.comment.paste.link')}</Outside>
      </Instruction>
    </Instructions>
  );
}

/** What to do with the code where an admin verifies. */
export function AdminInstructions({ name, code }: { name: string; code: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Instructions>
      <Instruction title={t('verify.manual.ask.title')}>{t('verify.manual.ask.textNamed', { name, code })}</Instruction>
      <Instruction title={t('verify.manual.login.title')}>{t('verify.manual.login.text')}</Instruction>
    </Instructions>
  );
}

export function Instructions({ children }: { children: ReactNode }): ReactNode {
  return <ol className={styles.instructions}>{children}</ol>;
}

export function Instruction({ title, children }: { title: string; children: ReactNode }): ReactNode {
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
