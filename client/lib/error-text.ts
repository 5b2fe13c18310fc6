import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/request.ts';

/** Says what went wrong in the reader's language: a code that is known here, else the server's own sentence. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.server.failed');
    const { count } = error.params;
    const sentence = t(`errors.${error.code}`, { replace: error.params, ...(typeof count === 'number' ? { count } : {}) });
    return i18n.exists(`errors.${error.code}`) ? sentence : error.message;
  };
}
