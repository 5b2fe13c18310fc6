import { useTranslation } from 'react-i18next';
import { countIn } from '../../../shared/errors.ts';
import { ApiError } from '../../api/request.ts';

/** Says what went wrong in the reader's language: a code that is known here, else the server's own sentence. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => {
    if (!(error instanceof ApiError)) return t('errors.server.failed');
    const count = countIn(error.params);
    const sentence = t(`errors.${error.code}`, { replace: error.params, ...count });
    return i18n.exists(`errors.${error.code}`, count) ? sentence : error.message;
  };
}

/** Whether a failure has words of its own; an unknown one is told by what was tried. */
export const hasReason = (error: unknown): error is ApiError => error instanceof ApiError && error.code !== 'server.failed';
