import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';

interface CopyTextProps {
  text: string;
  label: string;
  isMain?: boolean;
  disabled?: boolean;
}

export function CopyText({
  text,
  label,
  isMain = false,
  disabled = false,
}: CopyTextProps): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(text);
  return (
    <>
      <Button small variant={isMain ? 'primary' : 'plain'} disabled={disabled} onClick={copy}>
        {copied ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
        {copied ? t('shell.profile.copied') : label}
      </Button>
      {/* Not in the button, which would have no name. */}
      <span role="status" className="visually-hidden">
        {copied ? t('shell.profile.copied') : null}
      </span>
    </>
  );
}
