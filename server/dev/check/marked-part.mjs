/** Replaces the generated part of a document. */

/** Replaces what is between `<!-- name -->` and `<!-- /name -->`. @param {string} document @param {string} name @param {string} text */
export function withPart(document, name, text) {
  const begin = `<!-- ${name} -->`;
  const end = `<!-- /${name} -->`;
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`no place for the ${name}: it has no ${begin} and ${end}`);
  return `${document.slice(0, from + begin.length)}\n${text}\n${document.slice(to)}`;
}
