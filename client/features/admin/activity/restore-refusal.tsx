import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import { useServerSaveTime } from '../../../store/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { HoursText } from '../../../ui/hours-text.tsx';
import styles from './activity.module.css';

/** `params.claims` of activity.hoursTaken and event.claimsOutside. */
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

/** Why something cannot be put back, with the claims in the way. It takes the focus. */
export function RestoreRefusal({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  const isTaken = error instanceof ApiError && error.code === 'activity.hoursTaken';
  const claims = isTaken ? claimsInTheWay.safeParse(error.params.claims).data : undefined;
  return (
    <div ref={box} tabIndex={-1} className={styles.refusal}>
      <Alert tone="bad" title={claims ? t('admin.activity.inTheWayText', { count: claims.length }) : undefined}>
        {claims ? (
          <ul aria-label={t('admin.activity.inTheWay')} className={styles.inTheWay}>
            {claims.map((claim) => (
              <ClaimInTheWayLine key={`${claim.id} ${claim.respawn_name} ${claim.hour_start}`} claim={claim} />
            ))}
          </ul>
        ) : (
          t('admin.activity.restoreFailed', { reason: errorText(error) })
        )}
      </Alert>
    </div>
  );
}

function ClaimInTheWayLine({ claim: { character_name, respawn_name, date, hour_start, hour_end } }: { claim: ClaimInTheWay }): ReactNode {
  const { t, i18n } = useTranslation();
  const { date: today } = useServerSaveTime();
  return (
    <li>
      <strong>{character_name}</strong>
      <span>{respawn_name}</span>
      <span>{date ? dateInWords(date, formatLocale(i18n.language)) : t('admin.activity.everyDay')}</span>
      <HoursText date={date ?? today} start={hour_start} end={hour_end} />
    </li>
  );
}
