import { vi } from 'vitest';

interface SavedFile {
  name: string;
  text: string;
}

/** Records the files that the page saves. */
export function savedFiles(): SavedFile[] {
  const saved: SavedFile[] = [];
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((content) => {
    const url = `blob:${blobs.size}`;
    if (content instanceof Blob) blobs.set(url, content);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const file = { name: this.download, text: '' };
    saved.push(file);
    void blobs
      .get(this.href)
      ?.arrayBuffer()
      .then((bytes) => {
        // Not `text()`, which drops the mark at the beginning.
        file.text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      });
  });
  return saved;
}
