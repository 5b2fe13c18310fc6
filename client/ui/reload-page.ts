import type { TFunction } from 'i18next';
import type { ToastAction } from './toast.tsx';

/** Firefox, and Chromium up to 153, cache a failed module import until the page is reloaded. */
export const reloadPage = (t: TFunction): ToastAction => ({
  label: t('shell.crash.action'),
  onPress: () => location.reload(),
});
