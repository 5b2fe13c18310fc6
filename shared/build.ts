/** The page's element that names its build. */
export const BUILD_META = 'claimboard-build';
/** Every answer of the API says in this header which build a page that is loaded now would be. */
export const BUILD_HEADER = 'X-Build';

/** The build that a page is; null for a page that is not ours, or was not built. */
export function buildOf(html: string): string | null {
  return new RegExp(`<meta name="${BUILD_META}" content="(\\w+)"`).exec(html)?.[1] ?? null;
}
