/** As shared/build.ts has it: what two programs share becomes a file of its own, which a service worker does not load. */
const OUR_MARK = '<meta name="claimboard-build"';

/** What the server answers with something else than the app's page. */
const NOT_THE_APP = /^\/(api|assets|calendar|static|socket\.io|icons|ui)(\/|$)|^\/(healthz|readyz|metrics)$|^\/[^/]+\.\w+$/;

/** Whether an address of the site is one of the app's: all of them are the same page. */
export const isAppPath = (pathname: string): boolean => !NOT_THE_APP.test(pathname);

const isHtml = (response: Response): boolean => /html/i.test(response.headers.get('Content-Type') ?? '');

/** The response if it is the app's own page, else null: a portal's or a proxy's must not be taken for it later. */
export async function ourPage(response: Response): Promise<Response | null> {
  if (response.status !== 200 || response.redirected || !isHtml(response)) return null;
  return (await response.clone().text()).includes(OUR_MARK) ? response : null;
}

/** The response if it can be a program, a style or a picture of ours, else null: no page is one. */
export function ourFile(response: Response): Response | null {
  return response.status === 200 && !response.redirected && !isHtml(response) ? response : null;
}
