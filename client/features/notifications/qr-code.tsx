import type { ReactNode } from 'react';
import { encode } from 'uqr';
import styles from './character-dialogs.module.css';

/** The quiet zone around the code, in modules, which scanners require. */
const BORDER = 4;

/** A QR code, dark on light in both themes. */
export function QrCode({ text, label }: { text: string; label: string }): ReactNode {
  const { data, size } = encode(text, { border: BORDER });
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={dark.join('')} fill="#000000" />
    </svg>
  );
}
