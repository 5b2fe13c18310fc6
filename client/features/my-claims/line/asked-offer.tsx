import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { waitIn } from '../../../lib/board-place.ts';
import { useOwnWaits } from '../../../state/own-waits.ts';
import { Alert } from '../../../ui/alert.tsx';

/** A notice was pressed too late: what it offered is no longer there. */
export function AskedOffer(): ReactNode {
  const { t } = useTranslation();
  const asked = waitIn(useLocation().search);
  const own = useOwnWaits();
  return asked === null || own.some(({ wait }) => wait.id === asked) ? null : <Alert>{t('mine.held.over')}</Alert>;
}
