import { useEffect } from 'react';

interface SheetProps {
  styles: string;
}

/**
 * Replaces react-style-singleton (see vite.config.ts) for react-remove-scroll: shared styles with a use count. The package adds a <style>
 * element, which the Content-Security-Policy forbids; a constructed sheet is allowed.
 */
export function styleSingleton(): (props: SheetProps) => null {
  let users = 0;
  let sheet: CSSStyleSheet | null = null;
  const add = (styles: string): void => {
    users += 1;
    if (sheet) return;
    sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  };
  const remove = (): void => {
    users -= 1;
    if (users > 0) return;
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    sheet = null;
  };
  return function Sheet({ styles }) {
    useEffect(() => {
      add(styles);
      return remove;
    }, [styles]);
    return null;
  };
}
