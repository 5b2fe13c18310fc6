import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { reloadPage } from './reload-page.ts';
import { showToast } from './toast.tsx';

/** In the place of what a press opens and could not be fetched: the page stays, and says what helps. */
export function SayMissing({ onSaid }: { onSaid: () => void }): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    showToast({ tone: 'bad', text: t('shell.part.again'), action: reloadPage(t) });
    onSaid();
  });
  return null;
}
