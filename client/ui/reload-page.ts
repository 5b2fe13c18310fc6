import type { TFunction } from 'i18next';
import type { ToastAction } from './toast.tsx';

/**
 * Beside what says that a file of ours could not be fetched. Firefox, and Chromium up to 153, keep a module's failure as long as the
 * page: there only a page that is loaded anew asks for it again.
 */
export const reloadPage = (t: TFunction): ToastAction => ({ label: t('shell.crash.action'), onPress: () => location.reload() });
