import type { FieldError } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../shared/errors.ts';

/** A refusal by the server at a field: its message is a sentence already. */
export const SAID_BY_SERVER = 'server';

/**
 * What is wrong with a field, in the reader's language. A check of our schemas says one of our codes, or something
 * in its own words, which are not for people.
 */
export function useFieldError(): (error: FieldError | undefined, label: string) => string | undefined {
  const { t } = useTranslation();
  return (error, label) => {
    if (!error) return undefined;
    const { type, message = '' } = error;
    if (type === SAID_BY_SERVER) return message;
    return isErrorCode(message) ? t(`errors.${message}`, {}) : t('errors.request.invalid', { field: label });
  };
}
