import { useTranslation } from 'react-i18next';
import { FormatError, type LoadError } from '../../api/load-error.ts';
import { ApiError } from '../../api/request.ts';
import { useErrorText } from './error-text.ts';

export interface LoadText {
  /** The specification's sentence. */
  sentence: string;
  /** Why, where the sentence does not say it. */
  reason: string | null;
  /** The server was not reached at all. */
  isAway: boolean;
}

/** Says what could not be loaded, and why. */
export function useLoadText(): (failure: LoadError) => LoadText {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return ({ load, reason: cause }) => {
    const refusal = cause instanceof ApiError && cause.status > 0 ? cause : null;
    const reason = refusal?.said || errorText(cause);
    const isAway = cause instanceof ApiError && !refusal;
    /** The reason stands beside the sentence, or it is part of it. */
    const beside = (sentence: string): LoadText => ({ sentence, reason, isAway });
    const within = (sentence: string): LoadText => ({ sentence, reason: null, isAway });
    switch (load) {
      case 'respawns': {
        if (!refusal) return beside(t('load.respawns'));
        const { status, statusText } = refusal;
        return within(t('load.respawnsStatus', { status, statusText, body: reason }));
      }
      case 'categories': {
        if (cause instanceof FormatError) return within(t('load.categoriesFormat', { type: cause.got }));
        if (!refusal) return beside(t('load.categories'));
        const { status, statusText } = refusal;
        return beside(t('load.categoriesStatus', { status, statusText }));
      }
      case 'verifiedCodes':
        return refusal ? within(t('load.verifiedCodesReason', { reason })) : beside(t('load.verifiedCodes'));
      case 'adminData':
        return within(t('load.adminData', { reason }));
      case 'adminRespawns':
        return beside(t('load.respawns'));
      default:
        return beside(t(`load.${load}`));
    }
  };
}
