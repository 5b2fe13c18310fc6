import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './page.module.css';

export function Footer(): ReactNode {
  const { t } = useTranslation();
  return (
    <footer className={styles.footer}>
      <p>{t('shell.footer.publisher')}</p>
      <p>{t('shell.footer.creators')}</p>
    </footer>
  );
}
