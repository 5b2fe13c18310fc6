import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { useCopy } from '../../../ui/copyable-code.tsx';
import { CheckIcon, CopyIcon } from '../../../ui/icons.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import styles from './calendar.module.css';

const QrCode = lazyPart(async () => (await import('./qr-code.tsx')).QrCode);

/** Asks a program to subscribe, where an ordinary link would have it take the claims over once, as they are now. */
const toSubscribe = (url: string): string => url.replace(/^https?:/, 'webcal:');

/** A calendar's address, this once, in every way in which a program can be told of it. */
export function CalendarAddress({ url, name }: { url: string; name: string }): ReactNode {
  const { t } = useTranslation();
  const { copied, copy } = useCopy(url);
  const [isShown, setIsShown] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  // The button that made it is gone, and this is what is to be done next.
  useEffect(() => first.current?.focus(), []);
  return (
    <>
      <p role="status" className={styles.once}>
        {t('calendar.once')}
      </p>
      <code className={styles.url}>{url}</code>
      <div className={styles.actions}>
        <Button ref={first} variant="primary" onClick={copy} aria-label={t('calendar.copyOf', { name })}>
          {copied ? <CheckIcon /> : <CopyIcon />}
          {t('calendar.copy')}
        </Button>
        <a className={buttonClass({})} href={toSubscribe(url)} aria-label={t('calendar.subscribeOf', { name })}>
          {t('calendar.subscribe')}
        </a>
        <Button aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
          {t('calendar.qr.label')}
        </Button>
        <span role="status" className="visually-hidden">
          {copied ? t('shell.profile.copied') : null}
        </span>
      </div>
      {isShown ? (
        <div className={styles.qr}>
          <Boundary instead={() => <p>{t('calendar.qr.failed')}</p>}>
            <Suspense fallback={<Skeleton width={176} height={176} />}>
              <QrCode text={toSubscribe(url)} label={t('calendar.qr.name', { name })} />
            </Suspense>
          </Boundary>
          <p>{t('calendar.qr.hint')}</p>
        </div>
      ) : null}
    </>
  );
}
