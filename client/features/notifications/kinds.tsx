import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import styles from './notifications.module.css';

const KINDS = ['hold_offered', 'hunt_begins', 'confirm_now', 'claim_changed'] as const;

interface KindsProps {
  chosen: PushPreferences;
  choose: (change: Partial<PushPreferences>) => void;
  name: string;
}

/** What a character is told of, each to be switched. */
export function Kinds({ chosen, choose, name }: KindsProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is sent together
    <div role="group" aria-labelledby={id} className={styles.part}>
      <h3 id={id} className={styles.partTitle}>
        {t('notifications.kinds.title', { name })}
      </h3>
      {KINDS.map((kind) => (
        <div key={kind} className={styles.kind}>
          <Switch
            label={t(`notifications.kinds.${kind}.name`)}
            state={chosen[kind] === 1 ? t('notifications.on') : t('notifications.off')}
            on={chosen[kind] === 1}
            onChange={(on) => choose({ [kind]: on ? 1 : 0 })}
          />
          <p className={styles.text}>{t(`notifications.kinds.${kind}.text`)}</p>
        </div>
      ))}
    </div>
  );
}
