import { useEffect } from 'react';

interface SheetProps {
  styles: string;
}

/**
 * In place of the package react-style-singleton (see vite.config.ts), as react-remove-scroll uses it: styles that are there
 * while somebody needs them, written once however many do. The package adds a <style> element, which the
 * Content-Security-Policy forbids; a sheet that a script constructs is the script's own.
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
