import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { freePorts } from '../../server/dev/test/free-ports.ts';

/** WebKitGTK's small browser. `npm test` sets it where that, its driver and a virtual screen are installed. */
export const WEBKIT_BROWSER = process.env.WEBKIT_BROWSER;
/** Height of the browser's own bar above the page. */
const BAR_HEIGHT = 38;
const PATIENCE_MS = 20_000;

interface Size {
  width: number;
  height: number;
}

/** A window of Safari's engine, driven by WebDriver: Playwright's own WebKit is a build that Debian doesn't have. */
export interface WebKit {
  driver: WebDriver;
  /** Gives the page this size. */
  resize: (size: Size) => Promise<void>;
  /** The first visible element of that XPath, waited for. @throws after 20 s without one */
  find: (xpath: string) => Promise<WebElement>;
  /** Waits until none is visible. */
  findNone: (xpath: string) => Promise<void>;
  press: (xpath: string) => Promise<void>;
  /** Presses once a second until none is visible: the first press misses an element that is still moving. */
  pressAway: (xpath: string) => Promise<void>;
  close: () => Promise<void>;
}

/** XPath of what a person reads on a control, or hears of it. */
export const named = (role: 'button' | 'a' | 'input', name: string): string =>
  `//${role}[normalize-space(.)=${quoted(name)} or @aria-label=${quoted(name)} or starts-with(@aria-label, ${quoted(`${name},`)})]`;
/** The innermost element that contains the words. */
export const text = (words: string): string => {
  const says = `contains(normalize-space(.), ${quoted(words)})`;
  return `//body//*[${says} and not(*[${says}])]`;
};
const quoted = (words: string): string => (words.includes("'") ? `"${words}"` : `'${words}'`);

/** @throws when the screen, the driver or the browser does not start */
export async function startWebKit(browser: string, size: Size): Promise<WebKit> {
  const processes: ChildProcess[] = [];
  try {
    const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1200x24'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    processes.push(screen);
    const [display] = await once(screen.stdout, 'data');
    const [port = 0] = await freePorts(1);
    const env = {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      LIBGL_ALWAYS_SOFTWARE: '1',
    };
    processes.push(spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' }));
    await untilReady(`http://127.0.0.1:${port}/status`);
    const capabilities = new Capabilities({
      browserName: 'MiniBrowser',
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] },
    });
    const driver = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(capabilities)
      .build();
    const window = windowOf(driver, async () => {
      await driver.quit();
      for (const each of processes) each.kill();
    });
    await window.resize(size);
    return window;
  } catch (error) {
    for (const each of processes) each.kill();
    throw error;
  }
}

function windowOf(driver: WebDriver, close: () => Promise<void>): WebKit {
  const visible = async (xpath: string): Promise<WebElement | undefined> => {
    for (const element of await driver.findElements(By.xpath(xpath))) {
      // By its size: a transparent button over a row counts. React may have replaced the element since.
      const { width, height } = await element.getRect().catch(() => ({ width: 0, height: 0 }));
      if (width * height > 0) return element;
    }
    return undefined;
  };
  const find = async (xpath: string): Promise<WebElement> => {
    const element = await driver.wait(() => visible(xpath), PATIENCE_MS).catch(() => undefined);
    if (element) return element;
    const page = await driver.executeScript(
      'return location.href + "\\n" + document.body.innerText',
    );
    throw new Error(`nothing visible at ${xpath}; the page:\n${page}`);
  };
  return {
    driver,
    resize: async ({ width, height }) => {
      const rect = { x: 0, y: 0, width, height: height + BAR_HEIGHT };
      await driver.manage().window().setRect(rect);
    },
    find,
    findNone: async (xpath) => {
      await driver.wait(
        async () => !(await visible(xpath)),
        PATIENCE_MS,
        `still visible: ${xpath}`,
      );
    },
    press: async (xpath) => {
      await find(xpath);
      // Retried while the element moves or another one covers it.
      await driver.wait(
        async () =>
          (await visible(xpath))?.click().then(
            () => true,
            () => false,
          ),
        PATIENCE_MS,
        `cannot be pressed: ${xpath}`,
      );
    },
    pressAway: async (xpath) => {
      await find(xpath);
      await driver.wait(
        async () => {
          await (await visible(xpath))?.click().catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          return !(await visible(xpath));
        },
        PATIENCE_MS,
        `still visible: ${xpath}`,
      );
    },
    close,
  };
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver does not answer');
}
