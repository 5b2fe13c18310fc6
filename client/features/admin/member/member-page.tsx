import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';
import type { ClaimOnRespawn, ClaimRow } from '../../../../shared/schemas/claim.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../../shared/schemas/member-type.ts';
import { getEndings } from '../../../api/admin-calls.ts';
import { type ServerPages, useServerQuery } from '../../../api/query.ts';
import { placeAddress } from '../../../lib/admin-tabs.ts';
import { groupBy } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useMay } from '../../../state/permissions.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { ChevronLeftIcon } from '../../../ui/icons.tsx';
import { Cluster, Facts, Stack } from '../../../ui/layout.tsx';
import { Link } from '../../../ui/link.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { isOfCharacter, lastClaimChange } from '../claims/claim-changes.ts';
import { ClaimConfirmation } from '../claims/claim-confirmations.tsx';
import { CharacterClaims } from '../claims/claims-list.tsx';
import { EditClaimDialog } from '../claims/edit-claim-dialog.tsx';
import { useEarlierClaimsOf } from '../claims/shown-claims.ts';
import { CurrentEntries } from '../claims/waitlist-view.tsx';
import { WeeklyClaimsView } from '../claims/weekly-claims-view.tsx';
import { rowEditNotes, useEditFocus } from '../forms/row-edit.tsx';
import { PageEnd, useReloadOn } from '../pages/pages.tsx';
import { pageOf, usePeopleColumns, useTypeEdit } from '../people/people-columns.tsx';
import { useConfirmPersonAction } from '../people/person-actions.tsx';
import { usePeople } from '../people/use-people.ts';
import styles from './member.module.css';
import { NoShows } from './no-shows.tsx';

interface MemberPageProps {
  name: string;
  list: { label: string; address: string };
}

/** All there is about one member, live, with the actions that the tabs have for it: key, verification, claims, waitlist. */
export function MemberPage({ name: typed, list }: MemberPageProps): ReactNode {
  const { t } = useTranslation();
  const mayGuild = useMay('guild');
  const page = useRef<HTMLElement>(null);
  const { key, records, claims, entries, hasWeeklyClaims } = useMember(typed);
  const earlier = useEarlierClaimsOf(typed);
  const known = key ?? records[0] ?? claims[0] ?? earlier.records[0];
  const name = known?.character_name ?? typed;
  const memberType = known?.member_type;
  return (
    <section
      ref={page}
      tabIndex={-1}
      aria-labelledby="member-name"
      className={`${styles.page} no-ring`}
    >
      <Cluster rowGap={1} gap={3}>
        <Link to={list.address} className={styles.back}>
          <ChevronLeftIcon size={16} />
          {list.label}
        </Link>
        <h2 id="member-name" className={styles.name}>
          {name}
        </h2>
        {memberType === undefined ? null : <MemberTypeBadge memberType={memberType} />}
        <a
          href={pageOf(name)}
          target="_blank"
          rel="noopener noreferrer"
          title={t('admin.characters.openPage')}
          className={`${styles.game} ${styles.log} subtle-link`}
        >
          {t('admin.member.game')}
        </a>
        <Link
          to={`${placeAddress('activity')}?${new URLSearchParams({ search: name })}`}
          className={`${styles.log} subtle-link`}
        >
          {t('admin.tabs.activity')}
        </Link>
      </Cluster>
      <Panel>
        <Facts
          columns
          facts={[
            {
              name: t('admin.tabs.claims'),
              value:
                earlier.pages.length > 0
                  ? new Set(claims.map(({ id }) => id)).size + earlier.total
                  : '',
            },
            { name: t('admin.waitlist.tab'), value: entries },
            { name: t('admin.member.noShows'), value: <NoShowCount name={name} /> },
          ]}
        />
      </Panel>
      {mayGuild ? <PersonFacts name={name} page={page} /> : null}
      <MemberClaims name={name} claims={claims} earlier={earlier} page={page} />
      <NoShows name={name} />
      {hasWeeklyClaims ? (
        <Stack>
          <h2>{t('admin.weeklyClaims.list')}</h2>
          <WeeklyClaimsView character={name} />
        </Stack>
      ) : null}
      <Stack as="section" aria-label={t('admin.waitlist.tab')}>
        <h2>{t('admin.waitlist.tab')}</h2>
        {entries > 0 ? (
          <CurrentEntries character={name} />
        ) : (
          <p className="muted">{t('admin.member.noEntries')}</p>
        )}
      </Stack>
    </section>
  );
}

interface Member {
  key: AccessKey | undefined;
  /** Verification records, the newest first. */
  records: readonly VerifiedCode[];
  /** On the board. */
  claims: readonly ClaimOnRespawn[];
  /** How many waitlist entries. */
  entries: number;
  hasWeeklyClaims: boolean;
}

/** A character's records on the board; the name in any case. */
function useMember(name: string): Member {
  const wanted = nameKey(name);
  const keys = useBoard((board) => board.byKind.access_key);
  const verified = useBoard((board) => board.byKind.verified_code);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const waits = useBoard((board) => board.byKind.wait);
  const weeklyClaims = useBoard((board) => board.byKind.standing_claim);
  const isTheirs = ({ character_name }: { character_name: string }): boolean =>
    nameKey(character_name) === wanted;
  const claims = useMemo(
    () =>
      [...onBoard.values()].flatMap((some) =>
        some.filter(({ character_name }) => nameKey(character_name) === wanted),
      ),
    [onBoard, wanted],
  );
  return {
    key: [...keys.values()].find(isTheirs),
    records: [...verified.values()].filter(isTheirs).sort((one, other) => other.id - one.id),
    claims,
    entries: [...waits.values()].filter(isTheirs).length,
    hasWeeklyClaims: [...weeklyClaims.values()].some(isTheirs),
  };
}

/** How often the member did not come, live; empty until the server answers. */
function NoShowCount({ name }: { name: string }): ReactNode {
  const { data, isFetching, refetch } = useServerQuery({
    queryKey: ['no-shows', nameKey(name)],
    queryFn: ({ signal }) => getEndings({ character: name, reason: 'no_show', limit: 1 }, signal),
  });
  const lastEnding = useBoard(({ byKind }) =>
    lastClaimChange(byKind.activity.values(), isOfCharacter(name)),
  );
  useReloadOn(lastEnding, { isReading: isFetching, reload: refetch });
  return data?.total ?? '';
}

interface InPage {
  /** Takes the focus when a record is removed. */
  page: RefObject<HTMLElement | null>;
}

/** The columns of the Keys and Characters tabs as facts, with the same actions and edit. */
function PersonFacts({ name, page }: InPage & { name: string }): ReactNode {
  const { t } = useTranslation();
  const people = usePeople();
  const person = people.find(({ character_name }) => nameKey(character_name) === nameKey(name)) ?? {
    id: 0,
    character_name: name,
    member_type: DEFAULT_MEMBER_TYPE,
    key: null,
    record: null,
    records: [],
    last_claim_date: null,
  };
  const edit = useTypeEdit(people);
  const onConfirm = useConfirmPersonAction('keys', page);
  const columns = usePeopleColumns({ edit, view: 'keys', onConfirm, isPage: true });
  const box = useRef<HTMLDivElement>(null);
  useEditFocus(box, edit.opened?.id ?? null, edit);
  const notes = rowEditNotes({ edit, what: 'accessKey' });
  const actions = columns.find(({ part }) => part === 'actions');
  return (
    <Panel title={t('admin.characters.columns.key')}>
      <div
        ref={box}
        className={styles.record}
        onKeyDownCapture={(event) => (edit.opened ? edit.onKeyDown(event) : undefined)}
      >
        <Facts
          columns
          facts={columns.flatMap(({ heading, part, cell }) =>
            cell && part === undefined ? [{ name: heading, value: cell(person) }] : [],
          )}
        />
        {edit.opened ? notes : null}
        <Cluster>
          {actions?.cell?.(person)}
          {person.key ? null : (
            <ButtonLink small to={placeAddress('keys')}>
              {t('admin.keys.generate')}
            </ButtonLink>
          )}
        </Cluster>
      </div>
    </Panel>
  );
}

interface MemberClaimsProps extends InPage, Pick<Member, 'claims'> {
  name: string;
  earlier: ServerPages<ClaimRow>;
}

/** The member's claims on the board, then those before, with the actions of the Claims tab. */
function MemberClaims({ name, claims, earlier, page }: MemberClaimsProps): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const { date: today } = useServerSaveTime();
  const [edited, setEdited] = useState<ClaimOnRespawn | null>(null);
  const [deleted, setDeleted] = useState<ClaimOnRespawn | null>(null);
  const { pages, records, status } = earlier;
  const all = useMemo(() => [...claims, ...records], [claims, records]);
  const sources = useMemo(() => [groupBy(all, ({ respawn_id }) => respawn_id)], [all]);
  return (
    <Stack as="section" aria-label={t('admin.tabs.claims')}>
      <h2>{t('admin.tabs.claims')}</h2>
      {all.length === 0 ? (
        status === 'ready' ? (
          <p className="muted">{t('admin.member.noClaims')}</p>
        ) : null
      ) : (
        <CharacterClaims
          character_name={name}
          claims={all}
          today={today}
          spotOf={({ respawn_id }) => respawns.get(respawn_id)?.name ?? ''}
          onEdit={setEdited}
          onDelete={setDeleted}
        />
      )}
      <PageEnd pages={earlier} failed={t('admin.claims.loadFailed')} />
      {edited ? (
        <EditClaimDialog
          claim={edited}
          // Another admin may give the claim to another character.
          sources={[...sources, onBoard]}
          complete={pages.length > 0}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {deleted ? (
        <ClaimConfirmation
          removal={{ what: 'delete', claim: deleted }}
          sources={sources}
          onClose={() => setDeleted(null)}
          focusAfter={page}
        />
      ) : null}
    </Stack>
  );
}
