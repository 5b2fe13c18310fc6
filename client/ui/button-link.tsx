import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { type ButtonLook, buttonClass } from './button.tsx';

/** A link that looks like a button: it leads somewhere, it does nothing. */
export function ButtonLink({ variant, small, wide, className, ...rest }: LinkProps & ButtonLook): ReactNode {
  return <Link {...rest} className={buttonClass({ variant, small, wide }, className)} />;
}
