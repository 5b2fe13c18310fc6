import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/request.ts';

/** Says what went wrong in the reader's language: a code that is known here, else the server's own sentence. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.server.failed');
    const key = `errors.${error.code}` as const;
    return i18n.exists(key) ? t(key, { ...error.params }) : error.message;
  };
}
