import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import { Alert } from '../../../ui/alert.tsx';
import { HoursText } from '../../../ui/hours-text.tsx';
import styles from './events.module.css';

/** `params.claims` of event.claimsOutside and event.hoursTaken. */
const claimsInTheWay = z.array(
  z.object({
    id: z.number(),
    character_name: z.string(),
    respawn_name: z.string(),
    date: z.string().nullable(),
    hour_start: z.number(),
    hour_end: z.number(),
  }),
);
type ClaimInTheWay = z.infer<typeof claimsInTheWay>[number];

/** Why the server refused an event. It takes the focus, unless a field does. */
export function EventRefusal({ error, title, atField }: { error: unknown; title: string; atField: boolean }): ReactNode {
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!atField && error) box.current?.focus();
  }, [error, atField]);
  const claims = error instanceof ApiError ? claimsInTheWay.safeParse(error.params.claims).data : undefined;
  return (
    <div ref={box} tabIndex={-1} className={styles.notice}>
      <Alert tone="bad" title={title}>
        {claims ? (
          <ClaimsInTheWay claims={claims} taken={error instanceof ApiError && error.code === 'event.hoursTaken'} />
        ) : (
          errorText(error)
        )}
      </Alert>
    </div>
  );
}

function ClaimsInTheWay({ claims, taken }: { claims: readonly ClaimInTheWay[]; taken: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p>{t(taken ? 'admin.events.hoursTaken' : 'admin.events.claimsOutside', { count: claims.length })}</p>
      <ul aria-label={t('admin.events.inTheWay')} className={styles.inTheWay}>
        {claims.map((claim) => (
          <ClaimLine key={claim.id} claim={claim} />
        ))}
      </ul>
    </>
  );
}

function ClaimLine({ claim: { character_name, respawn_name, date, hour_start, hour_end } }: { claim: ClaimInTheWay }): ReactNode {
  const { t, i18n } = useTranslation();
  return (
    <li>
      <strong>{character_name}</strong>
      <span>{respawn_name}</span>
      <span>{date ? dateInWords(date, formatLocale(i18n.language)) : t('admin.events.everyDay')}</span>
      {date ? (
        <HoursText date={date} start={hour_start} end={hour_end} />
      ) : (
        <span>{t('time.range', { start: hour_start, end: hour_end })}</span>
      )}
    </li>
  );
}
