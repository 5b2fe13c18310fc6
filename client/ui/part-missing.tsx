import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { showToast } from './toast.tsx';

/** In the place of what a press opens and could not be fetched: the page stays, and says that the next press asks for it again. */
export function SayMissing({ onSaid }: { onSaid: () => void }): ReactNode {
  const { t } = useTranslation();
  useEffect(() => {
    // Some browsers keep what they could not fetch: only a page that is loaded anew asks for it then.
    const reload = { label: t('shell.crash.action'), onPress: () => location.reload() };
    showToast({ tone: 'bad', text: t('shell.part.again'), action: reload });
    onSaid();
  });
  return null;
}
