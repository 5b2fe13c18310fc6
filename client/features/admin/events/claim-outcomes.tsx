import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isErrorCode } from '../../../../shared/error-codes.ts';
import type { ClaimToCopy } from '../../../../shared/schemas/event-copy.ts';
import { ApiError } from '../../../api/request.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { groupBy } from '../../../lib/words/order.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { CheckboxInput } from '../../../ui/fields/checkbox.tsx';
import { Stack } from '../../../ui/layout.tsx';
import styles from './events.module.css';

/** If more claims are left out, their reasons are counted, and the list opens on demand. */
const MAX_LISTED = 10;
const ROWS_SHOWN = 100;

interface ClaimOutcomesProps {
  claims: readonly ClaimToCopy[];
  choosing?: { isChosen: (id: number) => boolean; toggle: (id: number) => void };
  /** Another preview is loading. */
  isStale?: boolean;
}

/** Each claim with its outcome, those left out first. */
export function ClaimOutcomes({
  claims,
  choosing,
  isStale = false,
}: ClaimOutcomesProps): ReactNode {
  const { t } = useTranslation();
  const [visibleRows, setVisibleRows] = useState(ROWS_SHOWN);
  const left = claims.filter(({ refusal }) => refusal !== null);
  const isSummary = !choosing && left.length > MAX_LISTED;
  const [isListed, setListed] = useState(false);
  const sorted = claims.toSorted(
    (one, other) => Number(one.refusal === null) - Number(other.refusal === null),
  );
  const more = sorted.length - visibleRows;
  const reasons = left.length > MAX_LISTED ? <Reasons left={left} /> : null;
  if (isSummary && !isListed) {
    return (
      <>
        {reasons}
        <Button small variant="quiet" onClick={() => setListed(true)}>
          {t('admin.events.copy.showClaims')}
        </Button>
      </>
    );
  }
  return (
    <>
      {reasons}
      <Stack gap={2} fitted className={styles.claims} aria-busy={isStale || undefined}>
        <ul aria-label={t('admin.events.copy.list')} className={styles.rows}>
          {sorted.slice(0, visibleRows).map((claim) => (
            <Row key={claim.id} claim={claim} choosing={choosing} />
          ))}
        </ul>
        {more > 0 ? (
          <Button
            small
            variant="quiet"
            onClick={() => setVisibleRows(visibleRows + 5 * ROWS_SHOWN)}
          >
            {t('admin.events.copy.more', { count: more })}
          </Button>
        ) : null}
      </Stack>
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

function Reasons({ left }: { left: readonly ClaimToCopy[] }): ReactNode {
  const { t } = useTranslation();
  const counts = groupBy(left, ({ refusal }) => reasonOf(refusal?.code ?? ''));
  return (
    <ul aria-label={t('admin.events.copy.reasons')} className={styles.reasons}>
      {REASONS.flatMap((reason) => {
        const count = counts.get(reason)?.length ?? 0;
        return count > 0
          ? [<li key={reason}>{t(`admin.events.copy.reason.${reason}`, { count })}</li>]
          : [];
      })}
    </ul>
  );
}

const isHoursTaken = (code: string): boolean =>
  code === 'claim.timeConflict' ||
  code === 'claim.timeConflictInEvent' ||
  code.startsWith('split.timeConflict');

function Row({
  claim,
  choosing,
}: {
  claim: ClaimToCopy;
  choosing: ClaimOutcomesProps['choosing'];
}): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const { id, character_name, date, places, refusal, is_secondary_claim } = claim;
  const isChosen = choosing?.isChosen(id) ?? true;
  const when = date === null ? t('board.everyDay') : dayText(date);
  const where = places.map(
    ({ respawn_name, hour_start, hour_end }) =>
      `${respawn_name}, ${t('time.range', { start: hour_start, end: hour_end })}`,
  );
  const description = (
    <span className={styles.description}>
      <strong>{character_name}</strong>
      <span>{when}</span>
      <span>{where.join(' + ')}</span>
      {is_secondary_claim ? <span className="faint">{t('board.secondary')}</span> : null}
    </span>
  );
  return (
    <li className={classes(styles.row, refusal && isChosen && styles.left)}>
      {choosing ? (
        <label className={styles.choice}>
          <CheckboxInput checked={isChosen} onChange={() => choosing.toggle(id)} />
          {description}
        </label>
      ) : (
        description
      )}
      {isChosen ? <Outcome claim={claim} /> : null}
    </li>
  );
}

function Outcome({ claim: { refusal, holders } }: { claim: ClaimToCopy }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const errorText = useErrorText();
  if (!refusal) return <span className="good small">{t('admin.events.copy.willBeCopied')}</span>;
  const { code, params } = refusal;
  const taken = holders.map(({ character_name, respawn_name, date, hour_start, hour_end }) => {
    const day = date === null ? t('board.everyDay') : dayText(date);
    return `${character_name} (${respawn_name}, ${day}, ${t('time.range', { start: hour_start, end: hour_end })})`;
  });
  const reason = isErrorCode(code)
    ? errorText(new ApiError(409, code, params, code))
    : t('errors.server.failed');
  return (
    <span className={styles.why}>
      {taken.length === 0
        ? reason
        : t(
            isHoursTaken(code)
              ? 'admin.events.copy.taken'
              : code === 'claim.characterHasClaim'
                ? 'admin.events.copy.otherClaim'
                : 'admin.events.copy.held',
            {
              list: taken.join('; '),
            },
          )}
    </span>
  );
}
