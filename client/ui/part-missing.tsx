import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { reloadPage } from './reload-page.ts';
import { showToast } from './toast.tsx';

interface SayMissingProps {
  /** What could not be shown, and what helps; a general sentence without it. */
  text?: string;
  onSaid: () => void;
}

/** In the place of a dialog or menu that failed to open: a message says so, and the page stays. */
export function SayMissing({ text, onSaid }: SayMissingProps): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    showToast({ tone: 'bad', text: text ?? t('shell.partFailed.stillFailing'), action: reloadPage(t) });
    onSaid();
  });
  return null;
}
