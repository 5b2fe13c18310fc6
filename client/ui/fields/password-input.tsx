import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button.tsx';
import { EyeIcon, EyeOffIcon } from '../icons.tsx';
import styles from './input.module.css';
import { TextInput } from './text-input.tsx';

export interface PasswordInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** What the eye says: a password unless told otherwise. */
  showLabel?: string;
  hideLabel?: string;
}

/** A secret that can be looked at before it is sent. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const label = shown ? (hideLabel ?? t('common.hidePassword')) : (showLabel ?? t('common.showPassword'));
  return (
    <div className={styles.wrap}>
      <TextInput {...rest} type={shown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <IconButton
        label={label}
        icon={shown ? <EyeOffIcon /> : <EyeIcon />}
        onClick={() => setShown(!shown)}
        {...(styles.reveal ? { className: styles.reveal } : {})}
      />
    </div>
  );
}
