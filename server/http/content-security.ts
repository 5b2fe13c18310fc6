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

/** For the page that shows the API, in place of the client's policy: Swagger UI's own files and pictures, and calls of this server. */
export const swaggerPolicy: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
  },
});
