import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../shared/error-codes.ts';

/** A refusal by the server at a field: its message is a sentence already. */
export const SAID_BY_SERVER = 'server';

/**
 * A field's error in the reader's language. Our schemas' messages are error codes; zod's own are not for people, who read `invalid`
 * instead.
 */
export function useFieldError(): (
  error: { type?: unknown; message?: string } | undefined,
  label: string,
  invalid?: string,
) => string | undefined {
  const { t } = useTranslation();
  return (error, label, invalid = t('errors.request.invalid', { field: label })) => {
    if (!error) return undefined;
    const { type, message = '' } = error;
    if (type === SAID_BY_SERVER) return message;
    return isErrorCode(message) ? t(`errors.${message}`, {}) : invalid;
  };
}
