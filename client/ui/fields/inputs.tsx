import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button.tsx';
import { classes } from '../classes.ts';
import { EyeIcon, EyeOffIcon, SearchIcon } from '../icons.tsx';
import { useFieldWiring } from './field.tsx';
import styles from './inputs.module.css';

export function TextInput({
  className,
  type = 'text',
  ...rest
}: ComponentProps<'input'>): ReactNode {
  return (
    <input
      {...useFieldWiring()}
      {...rest}
      type={type}
      className={classes(styles.input, className)}
    />
  );
}

export function TextArea({ className, rows = 3, ...rest }: ComponentProps<'textarea'>): ReactNode {
  return (
    <textarea
      {...useFieldWiring()}
      {...rest}
      rows={rows}
      className={classes(styles.input, styles.area, className)}
    />
  );
}

/** The label is also the placeholder. */
export function SearchInput({
  label,
  ...rest
}: ComponentProps<'input'> & { label: string }): ReactNode {
  return (
    <div className={classes(styles.wrap, styles.withIcon)}>
      <span className={styles.lead}>
        <SearchIcon />
      </span>
      <TextInput
        {...rest}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
      />
    </div>
  );
}

export interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Labels of the button that shows the text; by default they say "password". */
  showLabel?: string;
  hideLabel?: string;
}

/** A secret that can be shown before it is sent. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps): ReactNode {
  const { t } = useTranslation();
  const [isVisible, setIsVisible] = useState(false);
  const label = isVisible
    ? (hideLabel ?? t('common.hidePassword'))
    : (showLabel ?? t('common.showPassword'));
  return (
    <div className={styles.wrap}>
      <TextInput
        {...rest}
        type={isVisible ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
      />
      <IconButton
        label={label}
        icon={isVisible ? <EyeOffIcon /> : <EyeIcon />}
        onClick={() => setIsVisible(!isVisible)}
        {...(styles.reveal ? { className: styles.reveal } : {})}
      />
    </div>
  );
}
