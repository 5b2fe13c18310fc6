import { type ReactNode, useState } from 'react';
import styles from './parts.module.css';

export interface EmblemProps {
  src: string;
  /** The spot's name; its first letter is shown if there is no picture. */
  name: string;
  size?: 24 | 32 | 40;
}

/** A spot's picture. Hidden from screen readers, as the name is always next to it. */
export function Emblem({ src, name, size = 40 }: EmblemProps): ReactNode {
  const [failed, setFailed] = useState<string | null>(null);
  const inside = size - 4;
  return (
    <span className={styles.frame} style={{ width: size, height: size }} aria-hidden="true">
      {failed === src ? (
        name.slice(0, 1)
      ) : (
        <img
          src={src}
          alt=""
          width={inside}
          height={inside}
          loading="lazy"
          decoding="async"
          onError={() => setFailed(src)}
        />
      )}
    </span>
  );
}
