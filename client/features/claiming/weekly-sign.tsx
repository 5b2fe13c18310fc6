import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RepeatIcon } from '../../ui/icons.tsx';

/** Beside a claim that a weekly claim made. */
export function WeeklySign(): ReactNode {
  const { t } = useTranslation();
  const name = t('weeklyClaim.one');
  return (
    <span title={name} data-weekly>
      <RepeatIcon size={12} />
      <span className="visually-hidden"> {name}</span>
    </span>
  );
}
