import styles from './photo.module.css';
import { pictureColumns } from './picture-size.ts';

/**
 * A copy of a section, laid out for a picture and out of sight: on every screen the picture is the same, and the page does
 * not move while it is taken. What is marked `data-not-in-picture` stays
 * behind. The caller removes it.
 */
export function stage(section: Element): HTMLElement {
  const host = document.createElement('div');
  host.className = styles.stage ?? '';
  host.inert = true;
  host.setAttribute('aria-hidden', 'true');
  host.append(section.cloneNode(true));
  for (const left of host.querySelectorAll('[data-not-in-picture], .visually-hidden, svg')) left.remove();
  for (const named of host.querySelectorAll('[id]')) named.removeAttribute('id');
  host.style.setProperty('--columns', String(pictureColumns(host.querySelectorAll('article').length)));
  document.body.append(host);
  return host;
}
