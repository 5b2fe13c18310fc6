/**
 * Has the browser save a file, as if a link to it were pressed.
 * @param type of a text, such as `text/csv`; a blob has its own
 */
export function saveFile(fileName: string, content: string | Blob, type = 'text/plain'): void {
  const blob =
    typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // Not before the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
