import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { type ErrorCode, type Params, pluralCount } from '../../../shared/errors.ts';
import { FormatError, type LoadError } from '../../api/load-error.ts';
import { ApiError } from '../../api/request.ts';

const hasSentence = (code: ApiError['code'], params: Params): code is ErrorCode =>
  code !== '' && i18next.exists(`errors.${code}`, pluralCount(params));

/** Adds to a sentence the id by which an admin finds the failed request in the server's log. Refusals explain themselves. */
export function useWithErrorId(): (sentence: string, error: unknown) => string {
  const { t } = useTranslation();
  return (sentence, error) =>
    error instanceof ApiError && error.status === 500 && error.requestId
      ? t('common.withErrorId', { sentence, id: error.requestId })
      : sentence;
}

/** The error in the reader's language: by its code if that is known, else the text of the answer. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  const withErrorId = useWithErrorId();
  const sentenceOf = ({ code, params, message }: ApiError): string => {
    if (hasSentence(code, params))
      return t(`errors.${code}`, { replace: params, ...pluralCount(params) });
    return message || t('errors.server.failed');
  };
  return (error) =>
    error instanceof ApiError ? withErrorId(sentenceOf(error), error) : t('errors.server.failed');
}

/** The `{body}` of the specification's sentences: the error in the reader's language, else the text of a foreign page. */
export function useBodyText(): (error: unknown) => string {
  const errorText = useErrorText();
  return (error) =>
    error instanceof ApiError && error.responseText ? error.responseText : errorText(error);
}

/** Whether a failure has its own message; others are described by what was tried. */
export const hasReason = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.code !== 'server.failed' &&
  (error.message !== '' || hasSentence(error.code, error.params));

export interface LoadText {
  /** The specification's sentence. */
  sentence: string;
  /** Why, where the sentence does not say it. */
  reason: string | null;
  /** The server was not reached at all. */
  isAway: boolean;
}

export function useLoadText(): (failure: LoadError) => LoadText {
  const { t } = useTranslation();
  const bodyText = useBodyText();
  return ({ load, reason: cause }) => {
    const refusal = cause instanceof ApiError && cause.status > 0 ? cause : null;
    const reason = bodyText(cause);
    const isAway = cause instanceof ApiError && !refusal;
    const beside = (sentence: string): LoadText => ({ sentence, reason, isAway });
    const within = (sentence: string): LoadText => ({ sentence, reason: null, isAway });
    switch (load) {
      case 'respawns': {
        if (!refusal) return beside(t('load.respawns'));
        const { status, statusText } = refusal;
        return within(t('load.respawnsStatus', { status, statusText, body: reason }));
      }
      case 'categories': {
        if (cause instanceof FormatError)
          return within(t('load.categoriesFormat', { type: cause.got }));
        if (!refusal) return beside(t('load.categories'));
        const { status, statusText } = refusal;
        return beside(t('load.categoriesStatus', { status, statusText }));
      }
      case 'verifiedCodes':
        return refusal
          ? within(t('load.verifiedCodesReason', { reason }))
          : beside(t('load.verifiedCodes'));
      case 'adminData':
        return within(t('load.adminData', { reason }));
      case 'adminRespawns':
        return beside(t('load.respawns'));
      default:
        return beside(t(`load.${load}`));
    }
  };
}
