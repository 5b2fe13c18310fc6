/** File systems end at 255 bytes, and a letter may take four. */
const MOST_LETTERS = 50;

/** "Pits & Tombs" on 2026-11-21 is `pits-tombs-2026-11-21.png`: letters and digits of every alphabet stay, all else is a hyphen. */
export function pictureName(title: string, date: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
  const slug = [...words].slice(0, MOST_LETTERS).join('').replace(/^-|-$/g, '');
  return `${slug || 'category'}-${date}.png`;
}
