import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { refreshQuery, useServerQueries } from '../../api/query.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { useWeekdaysText } from '../../lib/words/weekly-claims.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { openOverlay } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { ChevronDownIcon, RepeatIcon } from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { MenuItem, MenuList } from '../../ui/menu-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { SkippedDates, usePauseWeeklyClaim } from '../claiming/weekly-claim-parts.tsx';
import { OnlineButton } from './my-claim-row.tsx';
import styles from './my-claims.module.css';
import { ownWeeklyClaims, useWeeklyLocalHours } from './own-weekly-claims.ts';

interface OwnWeeklyClaim {
  weeklyClaim: StandingClaim;
  profile: Profile;
}

interface OwnWeeklyClaims {
  weeklyClaims: readonly OwnWeeklyClaim[];
  isLoading: boolean;
  /** Why some character's weekly claims could not be read; null: all were, or are being read. */
  failure: unknown;
  tryAgain: () => void;
}

/** The weekly claims of this browser's characters, in the order in which they were made. */
function useOwnWeeklyClaims(): OwnWeeklyClaims {
  const all = useSession((session) => session.profiles);
  const live = useBoard((board) => board.byKind.standing_claim);
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.standing_enabled === 1);
  // Without weekly claims nothing is asked for. The weekly claims of a time before are known by the live connection.
  const profiles = isOn || live.size > 0 ? all : [];
  const answers = useServerQueries(profiles.map(ownWeeklyClaims));
  // The live connection carries the current character's weekly claims: any change means that they have to be read again.
  const known = useRef(live);
  useEffect(() => {
    if (known.current === live) return;
    known.current = live;
    void refreshQuery('weekly claims');
  }, [live]);
  return {
    weeklyClaims: profiles.flatMap((profile, at) =>
      (answers[at]?.data ?? []).map((weeklyClaim) => ({ weeklyClaim, profile })),
    ),
    isLoading: answers.some(({ isPending }) => isPending),
    failure: answers.find(({ isError }) => isError)?.error ?? null,
    tryAgain: () => void refreshQuery('weekly claims'),
  };
}

/** Weekly claims. While they are off in the guild, shown only if there are some. */
export function WeeklyClaims(): ReactNode {
  const { t } = useTranslation();
  const config = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const current = useSession((session) => session.current);
  const withCharacter = useSession((session) => session.profiles.length > 1);
  const errorText = useErrorText();
  const { weeklyClaims: own, isLoading, failure, tryAgain } = useOwnWeeklyClaims();
  const isOn = config?.standing_enabled === 1;
  if (!config || !current || (!isOn && own.length === 0)) return null;
  return (
    <Panel title={t('weeklyClaim.title')} flush className={styles.panel}>
      <div className={styles.list}>
        {failure ? (
          <FailedLoad
            sentence={t('weeklyClaim.loadFailed')}
            reason={errorText(failure)}
            onTryAgain={tryAgain}
            className={styles.failed}
          />
        ) : null}
        {own.length === 0 && isLoading ? (
          <Loading className={styles.skeletons}>
            <Skeleton height={96} />
          </Loading>
        ) : own.length === 0 && failure ? null : own.length === 0 ? (
          <p className={styles.none}>{t('weeklyClaim.none')}</p>
        ) : (
          <ul>
            {own.map(({ weeklyClaim, profile }) => (
              <WeeklyClaimRow
                key={weeklyClaim.id}
                weeklyClaim={weeklyClaim}
                profile={profile}
                withCharacter={withCharacter}
                isOn={isOn}
              />
            ))}
          </ul>
        )}
        <div className={styles.foot}>
          {isOn ? (
            <OnlineButton
              onClick={() => openOverlay('weeklyClaim', { character_name: current.characterName })}
            >
              {t('weeklyClaim.add')}
            </OnlineButton>
          ) : (
            <p className="muted fine tabular">{t('weeklyClaim.disabled')}</p>
          )}
        </div>
      </div>
    </Panel>
  );
}

interface WeeklyClaimRowProps extends OwnWeeklyClaim {
  withCharacter: boolean;
  /** The guild has weekly claims. */
  isOn: boolean;
}

function WeeklyClaimRow({
  weeklyClaim,
  profile,
  withCharacter,
  isOn,
}: WeeklyClaimRowProps): ReactNode {
  const { t } = useTranslation();
  const weekdaysText = useWeekdaysText();
  const localHours = useWeeklyLocalHours();
  const respawn = useBoard((board) => board.byKind.respawn.get(weeklyClaim.respawn_id));
  const spot = respawn?.name ?? weeklyClaim.respawn_name;
  const { date: today } = useServerSaveTime();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const away = isOffline ? t('errors.network.failed') : null;
  const { hour_start: start, hour_end: end, is_paused } = weeklyClaim;
  const pause = usePauseWeeklyClaim(weeklyClaim, spot, profile.accessKey);
  return (
    <li className={classes(styles.row, styles.weekly)}>
      {respawn ? (
        <Emblem src={respawn.image_url} name={spot} size={32} />
      ) : (
        <RepeatIcon size={24} />
      )}
      <div className={styles.what}>
        <p className={styles.title}>
          <span className={styles.spot}>{spot || t('weeklyClaim.one')}</span>
          {is_paused ? <Badge>{t('weeklyClaim.paused')}</Badge> : null}
        </p>
        <p className="muted fine tabular">
          {t('weeklyClaim.hours', {
            weekdays: weekdaysText(weeklyClaim.weekdays),
            hours: t('time.range', { start, end }),
          })}{' '}
          <span className="faint small">{localHours(weeklyClaim, today)}</span>
        </p>
        {withCharacter ? <p className="muted fine tabular">{weeklyClaim.character_name}</p> : null}
        <NextDate weeklyClaim={weeklyClaim} />
        <SkippedDates weeklyClaim={weeklyClaim} className={styles.skipped} />
      </div>
      {weeklyClaim.ended_at === null ? (
        <div className={styles.actions}>
          <Menu
            align="end"
            trigger={
              <Button
                small
                variant="quiet"
                aria-label={`${t('myClaims.more')}, ${t('weeklyClaim.title')}, ${spot}`}
              >
                {t('myClaims.more')} <ChevronDownIcon size={14} />
              </Button>
            }
          >
            <MenuList>
              {isOn && respawn ? (
                <MenuItem
                  blocked={away}
                  onSelect={() =>
                    openOverlay('weeklyClaim', {
                      character_name: weeklyClaim.character_name,
                      weeklyClaim,
                    })
                  }
                >
                  {t('weeklyClaim.edit')}
                </MenuItem>
              ) : null}
              {isOn ? (
                <MenuItem blocked={away} onSelect={pause}>
                  {t(is_paused ? 'weeklyClaim.resume' : 'weeklyClaim.pause')}
                </MenuItem>
              ) : null}
              <MenuItem
                danger
                blocked={away}
                onSelect={() =>
                  openOverlay('endWeeklyClaim', { weeklyClaim, access_key: profile.accessKey })
                }
              >
                {t('weeklyClaim.end')}
              </MenuItem>
            </MenuList>
          </Menu>
        </div>
      ) : null}
    </li>
  );
}

function NextDate({
  weeklyClaim: { is_paused, next_date, until, stopped, end_reason },
}: {
  weeklyClaim: StandingClaim;
}): ReactNode {
  const { t } = useTranslation();
  const ahead = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.standing_days_ahead ?? 0);
  if (end_reason === 'spot' || end_reason === 'over')
    return <p className="muted fine tabular">{t(`weeklyClaim.ended.${end_reason}`)}</p>;
  if (stopped !== null)
    return (
      <p className="muted fine tabular">
        {t(stopped === 'spot' ? 'weeklyClaim.spotDisabled' : 'weeklyClaim.keyRevoked')}
      </p>
    );
  return (
    <p className="muted fine tabular">
      {is_paused
        ? null
        : next_date === null
          ? t('weeklyClaim.over')
          : t('weeklyClaim.next', { date: next_date, on: addDays(next_date, -ahead) })}
      {until === null
        ? null
        : ` ${is_paused ? '' : '· '}${t('weeklyClaim.until', { date: until })}`}
    </p>
  );
}
