import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../../shared/errors.ts';
import type { ClaimToCopy } from '../../../../../shared/schemas/event-copy.ts';
import { ApiError } from '../../../../api/request.ts';
import { dayText, formatLocale } from '../../../../lib/time-text.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { groupBy } from '../../../../lib/words/order.ts';
import { Button } from '../../../../ui/button.tsx';
import { classes } from '../../../../ui/classes.ts';
import styles from './next.module.css';

/** Of more claims that stay behind, the reasons are counted first, and each claim is listed when that is asked for. */
const MOST_LISTED = 10;
/** More rows are shown when they are asked for. */
const ROWS_SHOWN = 100;

interface ClaimsToCopyProps {
  /** What stays behind stands first. */
  claims: readonly ClaimToCopy[];
  /** Where claims are chosen: which are not, and what takes one out or in again. */
  choosing?: { isChosen: (id: number) => boolean; toggle: (id: number) => void };
  /** Another preview is on its way. */
  isOld?: boolean;
}

/** Each claim with what becomes of it. */
export function ClaimsToCopy({ claims, choosing, isOld = false }: ClaimsToCopyProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState(ROWS_SHOWN);
  const left = claims.filter(({ refusal }) => refusal !== null);
  const isSummary = !choosing && left.length > MOST_LISTED;
  const [isListed, setListed] = useState(false);
  const sorted = claims.toSorted((one, other) => Number(one.refusal === null) - Number(other.refusal === null));
  const more = sorted.length - shown;
  const reasons = left.length > MOST_LISTED ? <Reasons left={left} /> : null;
  if (isSummary && !isListed) {
    return (
      <>
        {reasons}
        <Button small variant="quiet" onClick={() => setListed(true)}>
          {t('admin.events.next.showClaims')}
        </Button>
      </>
    );
  }
  return (
    <>
      {reasons}
      <div className={styles.claims} aria-busy={isOld || undefined}>
        <ul aria-label={t('admin.events.next.list')} className={styles.rows}>
          {sorted.slice(0, shown).map((claim) => (
            <Row key={claim.id} claim={claim} choosing={choosing} />
          ))}
        </ul>
        {more > 0 ? (
          <Button small variant="quiet" onClick={() => setShown(shown + 5 * ROWS_SHOWN)}>
            {t('admin.events.next.more', { count: more })}
          </Button>
        ) : null}
      </div>
    </>
  );
}

const REASONS = ['hours', 'day', 'held', 'member', 'budget', 'spot', 'other'] as const;

function reasonOf(code: string): (typeof REASONS)[number] {
  if (isHoursTaken(code)) return 'hours';
  if (code === 'claim.characterHasClaim') return 'day';
  if (code.startsWith('hold.')) return 'held';
  if (['copy.banned', 'copy.keyRevoked', 'copy.keyDeleted'].includes(code)) return 'member';
  if (code.startsWith('budget.')) return 'budget';
  return code.startsWith('respawn.') ? 'spot' : 'other';
}

/** Why claims stay behind, with how many for each reason. */
function Reasons({ left }: { left: readonly ClaimToCopy[] }): ReactNode {
  const { t } = useTranslation();
  const counts = groupBy(left, ({ refusal }) => reasonOf(refusal?.code ?? ''));
  return (
    <ul aria-label={t('admin.events.next.reasons')} className={styles.reasons}>
      {REASONS.flatMap((reason) => {
        const count = counts.get(reason)?.length ?? 0;
        return count > 0 ? [<li key={reason}>{t(`admin.events.next.reason.${reason}`, { count })}</li>] : [];
      })}
    </ul>
  );
}

const isHoursTaken = (code: string): boolean =>
  code === 'claim.timeConflict' || code === 'claim.timeConflictInEvent' || code.startsWith('split.timeConflict');

function Row({ claim, choosing }: { claim: ClaimToCopy; choosing: ClaimsToCopyProps['choosing'] }): ReactNode {
  const { t, i18n } = useTranslation();
  const { id, character_name, date, places, refusal, is_secondary_claim } = claim;
  const isChosen = choosing?.isChosen(id) ?? true;
  const when = date === null ? t('admin.inTheWay.everyDay') : dayText(date, formatLocale(i18n.language));
  const where = places.map(
    ({ respawn_name, hour_start, hour_end }) => `${respawn_name}, ${t('time.range', { start: hour_start, end: hour_end })}`,
  );
  const said = (
    <span className={styles.said}>
      <strong>{character_name}</strong>
      <span>{when}</span>
      <span>{where.join(' + ')}</span>
      {is_secondary_claim ? <span className={styles.note}>{t('admin.activity.secondary')}</span> : null}
    </span>
  );
  return (
    <li className={classes(styles.row, refusal && isChosen && styles.left)}>
      {choosing ? (
        <label className={styles.choice}>
          <input type="checkbox" checked={isChosen} onChange={() => choosing.toggle(id)} />
          {said}
        </label>
      ) : (
        said
      )}
      {isChosen ? <Outcome claim={claim} /> : null}
    </li>
  );
}

function Outcome({ claim: { refusal, holders } }: { claim: ClaimToCopy }): ReactNode {
  const { t, i18n } = useTranslation();
  const errorText = useErrorText();
  if (!refusal) return <span className={styles.comes}>{t('admin.events.next.comes')}</span>;
  const { code, params } = refusal;
  const taken = holders.map(({ character_name, respawn_name, date, hour_start, hour_end }) => {
    const day = date === null ? t('admin.inTheWay.everyDay') : dayText(date, formatLocale(i18n.language));
    return `${character_name} (${respawn_name}, ${day}, ${t('time.range', { start: hour_start, end: hour_end })})`;
  });
  const reason = isErrorCode(code) ? errorText(new ApiError(409, code, params, code)) : t('errors.server.failed');
  return (
    <span className={styles.why}>
      {taken.length === 0
        ? reason
        : t(
            isHoursTaken(code)
              ? 'admin.events.next.taken'
              : code === 'claim.characterHasClaim'
                ? 'admin.events.next.busy'
                : 'admin.events.next.held',
            {
              list: taken.join('; '),
            },
          )}
    </span>
  );
}
