import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { reloadPage } from './reload-page.ts';
import { showToast } from './toast.tsx';

interface PartFailedToastProps {
  /** Names the missing part and the remedy; by default a general sentence. */
  text?: string;
  onShown: () => void;
}

/** In the place of a dialog or menu that failed to open: a message says so, and the page stays. */
export function PartFailedToast({ text, onShown }: PartFailedToastProps): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    showToast({
      tone: 'bad',
      text: text ?? t('shell.partFailed.stillFailing'),
      action: reloadPage(t),
    });
    onShown();
  });
  return null;
}
