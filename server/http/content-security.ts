import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Env } from '../env.ts';
import { socketOrigin } from './own-host.ts';

/** html2canvas, which paints the board's pictures, writes this one style into the copy of the page that it paints. */
const STYLE_OF_HTML2CANVAS = "'sha256-UP0QZg7irvSMvOBz9mH2PIIE28+57UiavRfeVea0l3g='";

/** For the client: only what it brings itself; upgrade-insecure-requests off, since guilds serve it on plain http at home. */
export const clientPolicy = (env: Env) => ({
  defaultSrc: ["'self'"],
  connectSrc: ["'self'", (req: IncomingMessage) => socketOrigin(req, env)],
  fontSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  styleSrc: ["'self'", STYLE_OF_HTML2CANVAS],
  upgradeInsecureRequests: null,
});

/** For a page without scripts, in place of the client's policy: it may show the icon and this one style of its own. */
export const plainPagePolicy = (style: string): RequestHandler =>
  helmet.contentSecurityPolicy({
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      imgSrc: ["'self'"],
      styleSrc: [`'sha256-${createHash('sha256').update(style).digest('base64')}'`],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
    },
  });
