import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import styles from '../statistics.module.css';

/** Where nothing is laid out, and on the narrowest phone, in pixels. */
const NARROWEST = 240;

interface DrawingProps {
  /** What it is, for those who do not see it. */
  label: string;
  /** In pixels, known before it is drawn: nothing below it jumps. */
  height: number;
  /** Changes with what is drawn. */
  of: unknown;
  /** Draws it as wide as its place, in pixels. */
  draw: (width: number) => Element;
}

/** A plot that is drawn anew for another width. */
export function Drawing({ label, height, of, draw }: DrawingProps): ReactNode {
  const [box, setBox] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box) return;
    const measure = (): void => setWidth(Math.max(NARROWEST, Math.floor(box.clientWidth)));
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    measure();
    return () => observer.disconnect();
  }, [box]);
  const drawIt = useEffectEvent(() => draw(width));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject is another drawing
  useEffect(() => {
    if (!box || width === 0) return;
    const plot = drawIt();
    // The page's own styles say it all, and its policy takes no others.
    for (const style of plot.querySelectorAll('style')) style.remove();
    plot.setAttribute('aria-hidden', 'true');
    box.replaceChildren(plot);
  }, [box, width, of]);
  return <div ref={setBox} role="img" aria-label={label} className={styles.drawing} style={{ minHeight: height }} />;
}
