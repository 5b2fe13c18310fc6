import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDayText } from '../../lib/time-text.ts';
import { classes } from '../classes.ts';
import styles from './date-input.module.css';
import { TextInput } from './inputs.tsx';

export interface DateInputProps extends Omit<ComponentProps<'input'>, 'type' | 'value'> {
  /** YYYY-MM-DD, or YYYY-MM-DDTHH:mm with `withTime`; empty if none is chosen. */
  value: string;
  withTime?: boolean;
}

/** Shows the date in the app's language; browsers use their own. While it has the focus it is the browser's field. */
export function DateInput({ value, withTime, className, ...rest }: DateInputProps): ReactNode {
  const { t, i18n } = useTranslation();
  const dayText = useDayText();
  const [date = '', time] = value.split('T');
  const words = value ? [dayText(date, 'dayAndYear'), ...(time ? [time] : [])].join(', ') : null;
  return (
    <div className={styles.field}>
      <TextInput
        {...rest}
        value={value}
        type={withTime ? 'datetime-local' : 'date'}
        lang={i18n.language}
        className={className}
      />
      <span aria-hidden="true" className={classes(styles.words, words === null && 'faint')}>
        {words ?? t('common.chooseDate')}
      </span>
    </div>
  );
}
