import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMinutesLeft } from '../../../state/clock.ts';
import { Found } from '../../../ui/found.tsx';

interface HeldTextProps {
  name: string;
  /** null: a picture has no clock. */
  until: string | null;
  /** What is searched is marked. */
  search?: string;
  /** What is around the words; it is given them for its name. */
  inside?: (words: string, shown: ReactNode) => ReactNode;
}

/** "held for Arden, 7 min": it renders each minute, and nothing around it does. */
export function HeldText({ name, until, search = '', inside = (_, shown) => shown }: HeldTextProps): ReactNode {
  const { t } = useTranslation();
  const minutes = useMinutesLeft(until);
  const words = until === null ? t('board.wait.held', { name }) : t('board.wait.heldMinutes', { name, minutes });
  return inside(words, <Found text={words} search={search} />);
}
