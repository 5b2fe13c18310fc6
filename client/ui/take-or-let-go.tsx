import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockedButton, Button } from './button.tsx';

/** The two answers to hours that are held. */
export type HoldAnswer = 'take' | 'letGo';

export interface TakeOrLetGoProps {
  /** The held hours in words: "Fire Library, SS+10 to SS+12". Part of the buttons' accessible names. */
  what: { spot: string; hours: string };
  /** The answer that is on its way. */
  busy: HoldAnswer | null;
  /** The server cannot be reached: they say so instead of failing. */
  isOffline: boolean;
  onAnswer: (answer: HoldAnswer) => void;
}

/** "Take it" and "Let it go", in this order wherever a hold is met. */
export function TakeOrLetGo({ what, busy, isOffline, onAnswer }: TakeOrLetGoProps): ReactNode {
  const { t } = useTranslation();
  return (['take', 'letGo'] as const).map((answer) => {
    const look = {
      variant: answer === 'take' ? 'primary' : 'plain',
      children: t(`offer.${answer}`),
      'aria-label': t(`offer.${answer}Them`, what),
    } as const;
    if (isOffline) return <BlockedButton key={answer} {...look} reason={t('errors.network.failed')} />;
    return (
      <Button
        key={answer}
        {...look}
        busy={busy === answer}
        aria-disabled={(busy !== null && busy !== answer) || undefined}
        onClick={() => busy === null && onAnswer(answer)}
      />
    );
  });
}
