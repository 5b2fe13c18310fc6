import { useLayoutEffect } from 'react';

/**
 * Keeps the columns of a table as wide as they are now. A browser fits them to the rows that are there: where these
 * come and go with the scroll, the columns would dance.
 * @param columns which these are; null: they may be as wide as they like
 */
export function useSteadyColumns(box: HTMLElement, columns: string | null): void {
  useLayoutEffect(() => {
    if (columns === null) return;
    const headings = [...box.querySelectorAll('th')];
    const cols = [...box.querySelectorAll('col')];
    const widths = headings.map((heading) => heading.getBoundingClientRect().width);
    const all = widths.reduce((sum, width) => sum + width, 0);
    if (all === 0) return;
    // Shares, so that they still fit when the window is made wider.
    for (const [at, col] of cols.entries()) col.style.width = `${(100 * (widths[at] ?? 0)) / all}%`;
    return () => {
      for (const col of cols) col.style.width = '';
    };
  }, [box, columns]);
}
