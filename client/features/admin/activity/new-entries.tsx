import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { Button } from '../../../ui/button.tsx';
import styles from './activity.module.css';

/** Further down, in pixels, something above would push away what is being read. */
const AT_TOP_PX = 160;

const isAtTop = (): boolean => window.scrollY <= AT_TOP_PX;

interface NewEntriesProps {
  fresh: readonly ActivityEntry[];
  /** The newest of all that arrived, whether it matches the filters or not. */
  newest: number;
  take: () => void;
}

/** At the top of the log new entries come by themselves; further down they wait until they are asked for. */
export function NewEntries({ fresh, newest, take }: NewEntriesProps): ReactNode {
  const { t } = useTranslation();
  const [atTop, setAtTop] = useState(isAtTop);
  useEffect(() => {
    const look = (): void => setAtTop(isAtTop());
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    if (atTop && newest > 0) takeNow();
  }, [atTop, newest]);
  if (atTop || fresh.length === 0) return null;
  return (
    <div className={styles.newEntries} role="status">
      <Button
        variant="primary"
        onClick={() => {
          take();
          window.scrollTo(0, 0);
        }}
      >
        {t('admin.activity.newEntries', { count: fresh.length })}
      </Button>
    </div>
  );
}
