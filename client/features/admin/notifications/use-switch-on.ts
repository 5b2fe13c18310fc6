import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Destination } from '../../../../shared/schemas/destination.ts';
import { updateDestination } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { showToast } from '../../../ui/toast.tsx';

export interface SwitchOn {
  isBusy: boolean;
  run: () => void;
}

/** Lets a destination hear again what happens from now on, whoever had switched it off. */
export function useSwitchOn({ id, name }: Destination): SwitchOn {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isBusy, setIsBusy] = useState(false);
  const switchOn = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await updateDestination(id, { is_enabled: 1 });
      showToast({ text: t('admin.notifications.switchedOn', { name }) });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.notifications.switchOnFailed', { reason: errorText(error) }) });
    }
    setIsBusy(false);
  };
  return { isBusy, run: () => void switchOn() };
}
