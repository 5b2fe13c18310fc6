import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../i18n.ts';
import { setTheme, THEMES, useTheme } from '../../lib/preferences.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useHasDiscordApp, useMaySeeBoard } from '../../state/permissions.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import {
  logoutAll,
  logoutCurrent,
  signOutAdmin,
  switchProfile,
  useSession,
} from '../../state/session-store.ts';
import { usePages } from '../../state/use-pages.ts';
import { Badge } from '../../ui/badge.tsx';
import { chooseLanguage } from '../../ui/choose-language.ts';
import { useCopy } from '../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon, EyeIcon, EyeOffIcon, THEME_ICONS } from '../../ui/icons.tsx';
import { MEDIA } from '../../ui/media.ts';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import {
  MenuChoices,
  MenuFooter,
  MenuGroup,
  MenuItem,
  MenuLabel,
  MenuLink,
  MenuList,
  MenuSeparator,
} from '../../ui/menu-list.tsx';
import styles from './navbar.module.css';

/**
 * The profile menu's entries. On a phone they are part of the one menu.
 * @param besidePages the pages are in the same list: links to them are left out
 */
function ProfileEntries({ besidePages = false }: { besidePages?: boolean }): ReactNode {
  const { t } = useTranslation();
  const { current, profiles, admin } = useSession();
  const maySee = useMaySeeBoard();
  const hasDiscordApp = useHasDiscordApp();
  return (
    <>
      {current ? <CurrentProfile profile={current} /> : null}
      {admin ? (
        <p className={styles.head}>
          {admin.username} <Badge tone="accent">{t('shell.profile.admin')}</Badge>
        </p>
      ) : null}
      {current && profiles.length > 1 ? (
        <SwitchProfile current={current} profiles={profiles} />
      ) : null}
      {current || admin ? <MenuSeparator /> : null}
      <MenuGroup>
        {current ? (
          <MenuLink to="/notifications">{t('shell.profile.notifications')}</MenuLink>
        ) : null}
        {current ? (
          <MenuItem onSelect={() => openOverlay('calendar', {})}>{t('calendar.entry')}</MenuItem>
        ) : null}
        {current && hasDiscordApp ? (
          <MenuItem onSelect={() => openOverlay('connectDiscord', {})}>
            {t('shell.profile.connectDiscord')}
          </MenuItem>
        ) : null}
        {maySee ? <MenuLink to="/statistics">{t('statistics.title')}</MenuLink> : null}
        {current ? <MenuLink to="/verify">{t('shell.profile.addCharacter')}</MenuLink> : null}
        {current || besidePages ? null : (
          <MenuLink to="/verify">{t('shell.verifyCharacter')}</MenuLink>
        )}
        {current && admin ? null : <MenuLink to="/login">{t('shell.profile.login')}</MenuLink>}
      </MenuGroup>
      {current || admin ? <MenuSeparator /> : null}
      <MenuGroup>
        {admin ? (
          <MenuItem onSelect={() => openOverlay('changePassword', {})}>
            {t('shell.profile.changePassword')}
          </MenuItem>
        ) : null}
        {admin ? <MenuItem onSelect={leaveAdmin}>{t('shell.profile.adminLogout')}</MenuItem> : null}
        {current ? (
          <MenuItem onSelect={() => logoutCurrent()}>
            {profiles.length > 1
              ? t('shell.profile.logoutName', { name: current.characterName })
              : t('shell.profile.logout')}
          </MenuItem>
        ) : null}
        {profiles.length > 1 ? (
          <MenuItem danger onSelect={logoutAll}>
            {t('shell.profile.logoutAll')}
          </MenuItem>
        ) : null}
      </MenuGroup>
    </>
  );
}

export const ProfileList = (): ReactNode => (
  <MenuList>
    <ProfileEntries />
  </MenuList>
);

/** Reloads the page, so that no admin data stays in memory. */
function leaveAdmin(): void {
  void signOutAdmin().finally(() => location.reload());
}

function CurrentProfile({ profile }: { profile: Profile }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <p className={styles.head}>
        {profile.characterName} <MemberTypeBadge memberType={profile.memberType} />
      </p>
      <MenuLabel>{t('shell.profile.accessKey')}</MenuLabel>
      <CopyKey accessKey={profile.accessKey} />
    </>
  );
}

function SwitchProfile({
  current,
  profiles,
}: {
  current: Profile;
  profiles: readonly Profile[];
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <MenuSeparator />
      <MenuLabel>{t('shell.profile.switchProfile')}</MenuLabel>
      <MenuChoices
        label={t('shell.profile.switchProfile')}
        value={current.characterName}
        options={profiles.map((profile) => ({
          value: profile.characterName,
          label: profile.characterName,
        }))}
        onChange={switchProfile}
      />
    </>
  );
}

/** The access key, hidden by default against onlookers and screen sharing. It can be copied without showing it. */
function CopyKey({ accessKey }: { accessKey: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(accessKey);
  const [isShown, setIsShown] = useState(false);
  return (
    <MenuGroup label={t('shell.profile.accessKey')}>
      <MenuItem keepOpen onSelect={() => setIsShown(!isShown)}>
        <span className={`${styles.key} ellipsis`}>
          {isShown ? (
            accessKey
          ) : (
            <>
              <span aria-hidden="true">{accessKey.replace(/[^-]/g, '•')}</span>
              <span className="visually-hidden">{t('shell.profile.accessKey')}</span>
            </>
          )}
        </span>
        {isShown ? <EyeOffIcon /> : <EyeIcon />}
        <span className="visually-hidden">
          {t(isShown ? 'shell.profile.hideKey' : 'shell.profile.showKey')}
        </span>
      </MenuItem>
      <MenuItem keepOpen onSelect={copy}>
        <span className={styles.copyKey}>{t('shell.profile.copyKey')}</span>
        <span role="status">
          {copied ? (
            <span className={styles.copied}>
              <CheckIcon size={14} />
              {t('shell.profile.copied')}
            </span>
          ) : null}
        </span>
        {copied ? null : <CopyIcon />}
      </MenuItem>
    </MenuGroup>
  );
}

function LanguageChoices({ inRow }: { inRow?: boolean }): ReactNode {
  const { t, i18n } = useTranslation();
  const current = LANGUAGES.find(({ code }) => code === i18n.language)?.code ?? 'en';
  return (
    <MenuChoices
      label={t('shell.language')}
      value={current}
      options={LANGUAGES.map(({ code, name }) => ({
        value: code,
        label: name,
        lang: code,
        short: code.toUpperCase(),
      }))}
      onChange={(language) => chooseLanguage(language, t)}
      inRow={inRow ?? false}
    />
  );
}

function ThemeChoices({ inRow }: { inRow?: boolean }): ReactNode {
  const { t } = useTranslation();
  return (
    <MenuChoices
      label={t('shell.theme.label')}
      value={useTheme()}
      options={THEMES.map((theme) => {
        const Icon = THEME_ICONS[theme];
        return { value: theme, label: t(`shell.theme.${theme}`), short: <Icon size={18} /> };
      })}
      onChange={setTheme}
      inRow={inRow ?? false}
    />
  );
}

export const LanguageList = (): ReactNode => (
  <MenuList>
    <LanguageChoices />
  </MenuList>
);

export const ThemeList = (): ReactNode => (
  <MenuList>
    <ThemeChoices />
  </MenuList>
);

/** The one menu of narrow screens: pages, the character, and below them language and appearance, where the bar has no room for them. */
export function PhoneList(): ReactNode {
  const { t } = useTranslation();
  const pages = usePages();
  const maySee = useMaySeeBoard();
  const hasSettings = useMediaQuery(MEDIA.stacked);
  return (
    <MenuList wide>
      <MenuGroup label={t('shell.navigation')}>
        {pages.map((page) => (
          <MenuLink key={page.to} to={page.to}>
            {page.label}
          </MenuLink>
        ))}
        {maySee ? <MenuLink to="/?view=watch">{t('board.watch.title')}</MenuLink> : null}
        <MenuItem onSelect={() => openOverlay('palette', {})}>{t('palette.title')}</MenuItem>
      </MenuGroup>
      <MenuSeparator />
      <ProfileEntries besidePages />
      {hasSettings ? (
        <MenuFooter>
          <div>
            <MenuLabel>{t('shell.language')}</MenuLabel>
            <LanguageChoices inRow />
          </div>
          <div>
            <MenuLabel>{t('shell.theme.label')}</MenuLabel>
            <ThemeChoices inRow />
          </div>
        </MenuFooter>
      ) : null}
    </MenuList>
  );
}
