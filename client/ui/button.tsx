import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { Link, type LinkProps } from './link.tsx';
import { useTip } from './tooltip.tsx';

type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonLook {
  variant?: ButtonVariant | undefined;
  small?: boolean | undefined;
  wide?: boolean | undefined;
}

export function buttonClass({ variant = 'plain', small, wide }: ButtonLook, more?: string): string {
  return classes(
    styles.button,
    variant !== 'plain' && styles[variant],
    small && styles.small,
    wide && styles.wide,
    more,
  );
}

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Its work is under way: it keeps its label and takes no second press. */
  busy?: boolean | undefined;
}

export function Button({
  variant,
  small,
  wide,
  busy = false,
  className,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      {...rest}
      type={type}
      // Not `disabled`: that would take the focus away, and leave it nowhere when the work fails.
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (press) => press.preventDefault() : onClick}
      className={buttonClass({ variant, small, wide }, classes(busy && styles.busy, className))}
    />
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** Its name, also shown as a tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant | undefined;
  small?: boolean | undefined;
}

export function IconButton({
  label,
  icon,
  variant = 'quiet',
  small,
  className,
  type = 'button',
  ...rest
}: IconButtonProps): ReactNode {
  const tip = useTip(label);
  return (
    <button
      {...tip}
      {...rest}
      type={type}
      aria-label={label}
      className={buttonClass({ variant, small }, classes(styles.icon, className))}
    >
      {icon}
    </button>
  );
}

interface IconLinkProps
  extends LinkProps,
    Pick<IconButtonProps, 'label' | 'icon' | 'variant' | 'small'> {}

/** A link that looks like a button without a word. */
export function IconLink({
  label,
  icon,
  variant = 'quiet',
  small,
  className,
  ...rest
}: IconLinkProps): ReactNode {
  const tip = useTip(label);
  return (
    <Link
      {...tip}
      {...rest}
      aria-label={label}
      className={buttonClass({ variant, small }, classes(styles.icon, className))}
    >
      {icon}
    </Link>
  );
}

/** A link that looks like a button: it leads somewhere, it does nothing. */
export function ButtonLink({
  variant,
  small,
  wide,
  className,
  ...rest
}: LinkProps & ButtonLook): ReactNode {
  return <Link {...rest} className={buttonClass({ variant, small, wide }, className)} />;
}

export interface BlockedButtonProps extends ButtonLook {
  /** Why it cannot be pressed. */
  reason: string;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** A button that can't be pressed and gives the reason on hover, focus or tap. */
export function BlockedButton({
  reason,
  variant,
  small,
  wide,
  children,
  'aria-label': label,
}: BlockedButtonProps): ReactNode {
  const tip = useTip(reason);
  // Not `disabled`, or it could not be focused to read the reason.
  return (
    <button
      {...tip}
      type="button"
      aria-disabled="true"
      aria-label={label}
      className={buttonClass({ variant, small, wide })}
    >
      {children}
    </button>
  );
}
