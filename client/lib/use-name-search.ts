import { useState } from 'react';

/** Names as most are; keys and codes have digits and hyphens. */
const NAME = /^[\p{L}\p{M}' .]+$/u;

/**
 * A search among records that hold keys or codes. Only a search for a name is kept in the address: a key that was typed or pasted
 * must not reach the browser's history, or a log.
 * @param kept what the address keeps of it
 * @param keep writes that
 * @param isName whether a text finds names, and no key or code
 */
export function useNameSearch(
  kept: string,
  keep: (text: string) => void,
  isName: (text: string) => boolean,
): [string, (text: string) => void] {
  const [typed, setTyped] = useState<{ text: string; kept: string } | null>(null);
  return [
    // Going back changes the address, which then counts.
    typed?.kept === kept ? typed.text : kept,
    (text) => {
      const name = NAME.test(text) && isName(text) ? text : '';
      setTyped({ text, kept: name });
      keep(name);
    },
  ];
}
