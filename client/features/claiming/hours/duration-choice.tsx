import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { Select } from '../../../ui/fields/select.tsx';

/** More durations than fit beside each other on a phone are a list. */
const MOST_IN_A_ROW = 8;

export interface DurationChoiceProps {
  label: string;
  duration: number;
  /** The longest, in hours. */
  voucher: number;
  disabled: boolean;
  onChoose: (duration: number) => void;
}

/** From one hour to the voucher. Any can be chosen: the start hours then show where it fits. */
export function DurationChoice({ label, duration, voucher, disabled, onChoose }: DurationChoiceProps): ReactNode {
  const { t } = useTranslation();
  const options = Array.from({ length: voucher }, (_, i) => ({
    value: String(i + 1),
    label: t('submit.hours', { count: i + 1 }),
    disabled,
  }));
  const props = { label, value: String(duration), options, onChange: (value: string) => onChoose(Number(value)) };
  return voucher > MOST_IN_A_ROW ? <Select {...props} disabled={disabled} wide={false} /> : <Segmented {...props} tight={voucher > 6} />;
}
