import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { classes } from '../../ui/classes.ts';
import styles from './stage-strip.module.css';

const STAGES = ['name', 'code', 'check', 'key'] as const;
/** `done`: all of them. */
export type Stage = (typeof STAGES)[number] | 'done';

/** The way to the key as a strip: what is done, where one is, what comes. */
export function StageStrip({ stage, isManual }: { stage: Stage; isManual: boolean }): ReactNode {
  const { t } = useTranslation();
  const at = stage === 'done' ? STAGES.length : STAGES.indexOf(stage);
  return (
    <ol className={styles.stages} aria-label={t('verify.stages.label')}>
      {STAGES.map((each, index) => (
        <li
          key={each}
          className={classes(styles.stage, index < at && styles.done, index === at && styles.now)}
          aria-current={index === at ? 'step' : undefined}
        >
          {isManual ? t(`verify.stages.manual.${each}`) : t(`verify.stages.${each}`)}
        </li>
      ))}
    </ol>
  );
}
