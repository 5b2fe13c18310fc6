import type { ReactNode } from 'react';
import { wordsOf } from '../lib/words/search.ts';
import { foundIn } from './found-in.ts';
import styles from './parts.module.css';

export function Found({ text, search }: { text: string; search: string }): ReactNode {
  const found = foundIn(text, wordsOf(search));
  if (found.length === 0) return text;
  let at = 0;
  const parts: ReactNode[] = [];
  for (const [from, to] of found) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className={styles.hit}>
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return [...parts, text.slice(at)];
}
