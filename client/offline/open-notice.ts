/** What is needed of a `WindowClient`. */
export interface OpenWindow {
  url: string;
  focused: boolean;
  visibilityState: DocumentVisibilityState;
  focus: () => Promise<unknown>;
  navigate: (url: string) => Promise<unknown>;
}

export interface Windows<W extends OpenWindow> {
  /** Those of our origin. */
  all: readonly W[];
  isApp: (pathname: string) => boolean;
  /** Asks a page to go there by itself, which keeps what is loaded. @returns whether it does */
  ask: (page: W, address: string) => Promise<boolean>;
  open: (address: string) => Promise<unknown>;
}

/** Leads to an address in a page of ours that is open, the one in use before others; where there is none, in a new one. */
export async function openNotice<W extends OpenWindow>(address: string, { all, isApp, ask, open }: Windows<W>): Promise<void> {
  const pages = all.filter(({ url }) => isApp(new URL(url).pathname));
  const page = pages.find(({ focused }) => focused) ?? pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (!page) {
    await open(address);
    return;
  }
  // A browser that does not let it come to the front may still let it be led.
  await page.focus().catch(() => {});
  try {
    // One that is not up yet, or of another version, does not answer.
    if (!(await ask(page, address))) await page.navigate(address);
  } catch {
    await open(address);
  }
}
