import { type ReactNode, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { claimKey } from '../../lib/claims.ts';
import { inNameOrder } from '../../lib/words/order.ts';
import { useBoard } from '../../state/board-store.ts';
import { useNearDay } from '../../state/near-day.ts';
import { claimsOfCharacters, inOrder } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { SearchInput } from '../../ui/fields/inputs.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { HoursText } from '../../ui/hours/hours-text.tsx';
import { Link } from '../../ui/link.tsx';
import styles from './board.module.css';
import {
  type BoardQuery,
  type CategoryId,
  isActiveNow,
  type Now,
  SHOWS,
  SHOWS_IN_SINGLE_EVENT,
  SORTS,
} from './board-view.ts';

export function Sidebar(props: FiltersProps): ReactNode {
  const { t } = useTranslation();
  const { query, onChange } = props;
  return (
    <aside className={styles.sidebar} aria-label={t('board.filters')}>
      <SearchInput
        label={t('board.search')}
        value={query.search}
        onChange={({ target }) => onChange({ search: target.value })}
      />
      <Filters {...props} />
    </aside>
  );
}

interface FiltersProps {
  query: BoardQuery;
  onChange: (change: Partial<BoardQuery>) => void;
  event: ActiveEvent | null;
  now: Now;
}

/** Filters, sort order and the viewer's claims, in the sidebar or below a phone's bar. */
export function Filters({ query, onChange, event, now }: FiltersProps): ReactNode {
  const { t } = useTranslation();
  const shows = event?.type === 'single_claim' ? SHOWS_IN_SINGLE_EVENT : SHOWS;
  return (
    <>
      <div className={styles.group}>
        <p className="overline" aria-hidden="true">
          {t('board.show')}
        </p>
        <Segmented
          wide
          tight
          label={t('board.show')}
          value={query.show}
          options={shows.map((show) => ({ value: show, label: t(`board.showOptions.${show}`) }))}
          onChange={(show) => onChange({ show })}
        />
      </div>
      <div className={styles.group}>
        <p className="overline" aria-hidden="true">
          {t('board.sort')}
        </p>
        <Select
          label={t('board.sort')}
          value={query.sort}
          options={SORTS.map((sort) => ({ value: sort, label: t(`board.sortOptions.${sort}`) }))}
          onChange={(sort) => onChange({ sort })}
        />
      </div>
      <CategoryList chosen={query.category} onChoose={(category) => onChange({ category })} />
      <MyClaims event={event} now={now} />
    </>
  );
}

/** The categories with their spot counts; "no category" is last. */
function CategoryList({
  chosen,
  onChoose,
}: {
  chosen: CategoryId | null;
  onChoose: (id: CategoryId | null) => void;
}): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const categories = useBoard((board) => board.byKind.category);
  const respawns = useBoard((board) => board.byKind.respawn);
  const { entries, total, uncategorised } = useMemo(() => {
    const counts = new Map<number | null, number>();
    const spots = [...respawns.values()].filter((spot) => spot.is_enabled);
    for (const { category_id } of spots)
      counts.set(category_id, (counts.get(category_id) ?? 0) + 1);
    const known = inNameOrder(categories.values(), ({ name }) => name).map((category) => ({
      ...category,
      count: counts.get(category.id) ?? 0,
    }));
    const categorised = known.reduce((sum, { count }) => sum + count, 0);
    return {
      entries: known.filter(({ count }) => count > 0),
      total: spots.length,
      uncategorised: spots.length - categorised,
    };
  }, [categories, respawns]);
  return (
    <div className={styles.group}>
      <p id={titleId} className="overline">
        {t('board.categories')}
      </p>
      <ul aria-labelledby={titleId} data-stop className={styles.categories}>
        <Entry
          name={t('board.allSpots')}
          count={total}
          chosen={chosen === null}
          onChoose={() => onChoose(null)}
        />
        {entries.map(({ id, name, count }) => (
          <Entry
            key={id}
            name={name}
            count={count}
            chosen={chosen === id}
            onChoose={() => onChoose(id)}
          />
        ))}
        {uncategorised > 0 ? (
          <Entry
            name={t('board.uncategorised')}
            count={uncategorised}
            chosen={chosen === 'none'}
            onChoose={() => onChoose('none')}
          />
        ) : null}
      </ul>
    </div>
  );
}

function Entry({
  name,
  count,
  chosen,
  onChoose,
}: {
  name: string;
  count: number;
  chosen: boolean;
  onChoose: () => void;
}): ReactNode {
  return (
    <li>
      <button type="button" className={styles.category} aria-pressed={chosen} onClick={onChoose}>
        <span>{name}</span> <span>{count}</span>
      </button>
    </li>
  );
}

interface MyClaimsProps {
  event: ActiveEvent | null;
  now: Now;
}

/** The viewer's claims, next first; past ones are collapsed. */
function MyClaims(props: MyClaimsProps): ReactNode {
  const current = useSession((session) => session.current);
  return current ? <ClaimsOf character={current.characterName} {...props} /> : null;
}

function ClaimsOf({ character, event, now }: MyClaimsProps & { character: string }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const viewer = nameKey(character);
  const mine = useBoard(useShallow((board) => claimsOfCharacters([viewer], board)));
  const { coming, over } = inOrder(
    mine.filter((claim) => !claim.is_held),
    event,
    now,
  );
  return (
    <div className={styles.group}>
      <p id={titleId} className="overline">
        <Link to="/mine">{t('myClaims.title')}</Link>
      </p>
      {coming.length === 0 ? (
        <p className="faint fine">
          {over.length === 0 ? t('board.noMyClaims') : null}{' '}
          <Link to="/input">{t('board.claimSpot')}</Link>
        </p>
      ) : (
        <ul aria-labelledby={titleId} className={styles.mine}>
          {coming.map((claim) => (
            <MyClaim key={claimKey(claim)} claim={claim} event={event} now={now} />
          ))}
        </ul>
      )}
      {over.length > 0 ? (
        <details className={styles.overClaims}>
          <summary>{t('board.earlierClaims', { count: over.length })}</summary>
          <ul className={styles.mine}>
            {over.map((claim) => (
              <MyClaim key={claimKey(claim)} claim={claim} event={event} now={now} />
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

function MyClaim({ claim, event, now }: MyClaimsProps & { claim: ClaimOnRespawn }): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const name = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name);
  const isOn = !claim.is_secondary_claim && isActiveNow(claim, now, event);
  const words = [
    claim.split_part_number ? t('board.splitPart', { part: claim.split_part_number }) : null,
    claim.is_secondary_claim
      ? `${t('board.priority', { priority: claim.secondary_priority })} ${t('board.secondary')}`
      : null,
  ].filter((word) => word !== null);
  return (
    <li className={styles.myClaim}>
      <span>
        {name} {isOn ? <b>{t('time.now')}</b> : null}
      </span>
      <span>
        {claim.date === null ? t('board.everyDay') : nearDay(claim.date, 'short')},{' '}
        <HoursText date={claim.date ?? now.date} start={claim.hour_start} end={claim.hour_end} />
        {words.length > 0 ? ` · ${words.join(' · ')}` : null}
      </span>
    </li>
  );
}
