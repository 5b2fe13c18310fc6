import type { ReactNode } from 'react';
import styles from './form/claim-form.module.css';

/** The page around the form, or around what stands in its place. */
export function FormPage({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{title}</h1>
      {children}
    </div>
  );
}
