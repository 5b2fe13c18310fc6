import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isHalfTyped } from '../../lib/loading/half-typed.ts';
import { ownBuild, reloadOnce, useNewBuild } from '../../lib/loading/new-build.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './page.module.css';

/** A whole guild learns of a deployment in the same moment: each tab comes back at some time within this one, in milliseconds. */
const WITHIN_MS = 3_000;
/** How often it is looked whether somebody is done with what they were typing, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** Where another page does not come although it was announced, as from a proxy that keeps the old one, it is asked for ever more seldom. */
const LAST_PAUSE_MS = 5 * 60_000;

/** Says that the server has another version, and goes there by itself as soon as nothing is lost by it. */
export function NewVersion(): ReactNode {
  const { t } = useTranslation();
  const id = useNewBuild((build) => build.id);
  useEffect(() => {
    if (!id) return;
    let timer: ReturnType<typeof setTimeout>;
    let over = false;
    let pause = LOOK_EVERY_MS;
    const look = async (): Promise<void> => {
      const asks = !isHalfTyped();
      if (asks) await reloadOnce(`build:${id}`, (served) => served !== ownBuild());
      if (over) return;
      timer = setTimeout(look, asks ? pause : LOOK_EVERY_MS);
      if (asks) pause = Math.min(pause * 2, LAST_PAUSE_MS);
    };
    timer = setTimeout(look, Math.random() * WITHIN_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [id]);
  if (!id) return null;
  return (
    <Alert
      tone="accent"
      title={t('shell.version.title')}
      className={styles.version}
      action={
        <Button small variant="primary" onClick={() => location.reload()}>
          {t('shell.version.action')}
        </Button>
      }
    >
      {t('shell.version.text')}
    </Alert>
  );
}
