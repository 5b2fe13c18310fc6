import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Step } from '../../../ui/step-list.tsx';

interface AppStepProps extends Omit<ComponentProps<typeof Step>, 'state' | 'status'> {
  /** Undefined: Discord does not tell us. */
  state?: 'done' | 'waiting' | 'failed';
}

/** A step of the set-up at Discord, with its state. */
export function AppStep({ state, ...step }: AppStepProps): ReactNode {
  const { t } = useTranslation();
  return <Step {...step} state={state} status={state && t(`admin.discordApp.state.${state}`)} />;
}
