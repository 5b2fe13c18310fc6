import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { useCopy } from './use-copy.ts';

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <>
      <IconButton small label={copied ? t('shell.profile.copied') : label} icon={copied ? <CheckIcon /> : <CopyIcon />} onClick={copy} />
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}
