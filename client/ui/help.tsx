import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './help.module.css';
import { useTip } from './tooltip.tsx';

export interface HelpProps {
  /** The visible name of the feature, such as "Waitlist". */
  topic: string;
  text: string;
}

/** A "?" that explains a feature on hover, focus or tap; a second tap closes it. Goes beside a heading, not into it: the heading's name would include it. */
export function Help({ topic, text }: HelpProps): ReactNode {
  const { t } = useTranslation();
  const tip = useTip(text, true);
  const description = useId();
  return (
    <>
      <button
        {...tip}
        type="button"
        aria-label={t('common.help', { topic })}
        aria-describedby={description}
        className={styles.help}
      >
        ?
      </button>
      <span id={description} hidden>
        {text}
      </span>
    </>
  );
}
