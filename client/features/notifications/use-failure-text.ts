import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../lib/words/error-text.ts';
import { DeviceFailure } from './device.ts';

/** Why something could not be done to this device. */
export function useFailureText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => (error instanceof DeviceFailure ? t(`notifications.device.${error.reason}`) : errorText(error));
}
