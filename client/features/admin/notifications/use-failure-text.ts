import { useTranslation } from 'react-i18next';

/** What the way out fails with, by the names that the server has for it. */
const FAILURES = [
  'timeout',
  'stopped',
  'private',
  'notAllowed',
  'unknownHost',
  'restored',
  'unreachable',
  'tls',
  'reset',
  'tooLarge',
  'unreadable',
] as const;

/** Says why a message did not arrive: a failure that is known here, an answer's number, else the server's own words. */
export function useFailureText(): (error: string) => string {
  const { t } = useTranslation();
  return (error) => {
    const known = FAILURES.find((one) => one === error);
    if (known) return t(`admin.notifications.failure.${known}`);
    const [, status] = /^HTTP (\d{3})$/.exec(error) ?? [];
    return status ? t('admin.notifications.failure.status', { status }) : error;
  };
}
