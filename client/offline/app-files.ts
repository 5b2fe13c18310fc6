/** Same as in shared/build.ts, which a service worker can't import: shared code becomes a separate file. */
const OUR_MARK = '<meta name="claimboard-build"';

/** Paths that are not the app's page. */
const NOT_THE_APP =
  /^\/(api|assets|calendar|static|socket\.io|icons|ui)(\/|$)|^\/(healthz|readyz|metrics)$|^\/[^/]+\.\w+$/;

/** Whether a path belongs to the app; all of those are the same page. */
export const isAppPath = (pathname: string): boolean => !NOT_THE_APP.test(pathname);

const isHtml = (response: Response): boolean =>
  /html/i.test(response.headers.get('Content-Type') ?? '');

/** The response if it is our page, else null: a captive portal's or proxy's page must not be cached. */
export async function ourPage(response: Response): Promise<Response | null> {
  if (response.status !== 200 || response.redirected || !isHtml(response)) return null;
  return (await response.clone().text()).includes(OUR_MARK) ? response : null;
}

/** The response if it can be a script, style or picture of ours, else null. */
export function ourFile(response: Response): Response | null {
  return response.status === 200 && !response.redirected && !isHtml(response) ? response : null;
}
