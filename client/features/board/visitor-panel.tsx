import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasDiscordSignIn } from '../../state/permissions.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DiscordLink } from '../../ui/discord-link.tsx';
import { HourStrip } from '../../ui/hours/hour-strip.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { useMemberTypeLooks } from '../../ui/member-type-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './board-page.module.css';

/** Shown without a key: why there is no board, and how to get a key. */
export function VisitorPanel(): ReactNode {
  const { t } = useTranslation();
  const hasDiscord = useHasDiscordSignIn();
  const lookOf = useMemberTypeLooks();
  const example = [
    { key: 1, hour_start: 2, hour_end: 6, look: lookOf('member') },
    { key: 2, hour_start: 10, hour_end: 14, look: lookOf('elite') },
    { key: 3, hour_start: 18, hour_end: 22, look: lookOf('vice') },
  ];
  return (
    <div className="notice-page">
      <Panel className={styles.visitor}>
        <div aria-hidden="true">
          <HourStrip bars={example} label="" small />
        </div>
        <h1>{t('board.visitor.title')}</h1>
        <p>{t('board.visitor.text')}</p>
        <Cluster stacked className={styles.actions}>
          <ButtonLink to="/verify" variant="primary">
            {t('board.visitor.verify')}
          </ButtonLink>
          {hasDiscord ? <DiscordLink /> : null}
          <ButtonLink to="/login?type=access-key">{t('board.visitor.login')}</ButtonLink>
          <ButtonLink to="/admin/login" variant="quiet">
            {t('board.visitor.adminLogin')}
          </ButtonLink>
        </Cluster>
      </Panel>
    </div>
  );
}
