import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerSaveClock } from '../../../state/clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Milliseconds until an instant (ISO 8601) on the server's clock; 0 after it. Rendered anew by the minute, and when it comes. */
export function useTimeLeft(instant: string): number {
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const [localTime, setLocalTime] = useState(Date.now);
  const left = Math.max(0, Date.parse(instant) - (localTime + ahead_ms));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLocalTime(Date.now()), Math.min(left, MINUTE_MS));
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}

/** A code of 24 hours has 24 hours left, though the clocks' distance is known to the second only. */
const NEARLY_MS = MINUTE_MS;

/** "Expires in 24 hours", within the last hour in minutes. */
export function useExpiryText(): (left: number) => string {
  const { t } = useTranslation();
  return (left) =>
    left > HOUR_MS
      ? t('verify.code.expiresInHours', { count: Math.ceil((left - NEARLY_MS) / HOUR_MS) })
      : t('verify.code.expiresInMinutes', { count: Math.ceil(left / MINUTE_MS) });
}
