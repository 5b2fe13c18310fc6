import { type ReactNode, useState } from 'react';
import styles from './emblem.module.css';

export interface EmblemProps {
  src: string;
  /** The spot's name; its first letter stands in when the picture cannot be had. */
  name: string;
  size?: 24 | 32 | 40;
}

/** A spot's picture. The name always stands beside it, so it is silent to screen readers. */
export function Emblem({ src, name, size = 40 }: EmblemProps): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  const inside = size - 4;
  return (
    <span className={styles.frame} style={{ width: size, height: size }} aria-hidden="true">
      {failed === src ? (
        name.slice(0, 1)
      ) : (
        <img src={src} alt="" width={inside} height={inside} loading="lazy" decoding="async" onError={() => setFailed(src)} />
      )}
    </span>
  );
}
