import { useTranslation } from 'react-i18next';
import { pluralCount } from '../../../shared/errors.ts';
import type { RuleRefusal } from './draft/check.ts';

/** A refusal in the server's words, in the reader's language. */
export function useRefusalText(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  return ({ code, params }) => t(`errors.${code}`, { replace: params, ...pluralCount(params) });
}
