import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { BlockedButton, Button } from './button.tsx';

export type OfferAnswer = 'take' | 'decline';

export interface OfferButtonsProps {
  /** The held hours in words: "Fire Library, SS+10 to SS+12". Part of the buttons' accessible names. */
  what: { spot: string; hours: string };
  busy: OfferAnswer | null;
  /** While offline, the buttons are blocked and say why. */
  isOffline: boolean;
  onAnswer: (answer: OfferAnswer) => void;
}

/** "Take hours" and "Decline", in this order wherever an offer is shown. */
export function OfferButtons({ what, busy, isOffline, onAnswer }: OfferButtonsProps): ReactNode {
  const { t } = useTranslation();
  return (['take', 'decline'] as const).map((answer) => {
    const look = {
      variant: answer === 'take' ? 'primary' : 'plain',
      children: t(`offer.${answer}`),
      'aria-label': t(`offer.${answer}Named`, what),
    } as const;
    if (isOffline)
      return <BlockedButton key={answer} {...look} reason={t('errors.network.failed')} />;
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
