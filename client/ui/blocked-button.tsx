import type { ReactNode } from 'react';
import { type ButtonLook, buttonClass } from './button.tsx';
import { useTip } from './tooltip.tsx';

export interface BlockedButtonProps extends ButtonLook {
  /** Why it cannot be pressed. */
  reason: string;
  'aria-label'?: string | undefined;
  children: ReactNode;
}

/** Stands where a button would, cannot be pressed, and says why on hover, focus or tap. */
export function BlockedButton({ reason, variant, small, wide, children, 'aria-label': label }: BlockedButtonProps): ReactNode {
  const tip = useTip(reason);
  // Not `disabled`: what cannot be reached cannot be asked why.
  return (
    <button {...tip} type="button" aria-disabled="true" aria-label={label} className={buttonClass({ variant, small, wide })}>
      {children}
    </button>
  );
}
