import type { ReactNode } from 'react';

/** The hour strip in small: two claims, a gap, and free hours. */
export function Logo({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6 1h3.5v22H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5Z" fill="var(--accent)" />
      <path d="M11 1h5.5v22H11Z" fill="var(--accent)" />
      <path d="M18 1a5 5 0 0 1 5 5v12a5 5 0 0 1-5 5Z" fill="var(--line)" />
    </svg>
  );
}
