import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { decrypt } from 'http_ece';
import { onTestFinished, vi } from 'vitest';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { Language } from '../../../../shared/schemas/destination.ts';
import { type PushPayload, pushPayload } from '../../../../shared/schemas/push.ts';
import { asMember } from '../../../dev/test/builders.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { aSubscription, type BrowserKeys, browserKeys } from './browser.ts';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
/** How it answers; `hang`: not at all. */
export type Answering = number | 'hang';

/** A push service that receives the messages to browsers, with answers that the test controls. */
export class PushService {
  readonly #server: Server;
  readonly received: Received[] = [];
  /** By a browser's path; by default 201. */
  readonly answers = new Map<string, Answering>();
  readonly headers: Record<string, string> = {};
  url = '';
  #count = 0;

  constructor() {
    this.#server = createServer((req, res) => {
      const pieces: Buffer[] = [];
      req.on('data', (piece: Buffer) => pieces.push(piece));
      req.on('end', () => {
        const path = req.url ?? '';
        this.received.push({ path, headers: req.headers, body: Buffer.concat(pieces) });
        const answer = this.answers.get(path) ?? 201;
        if (answer !== 'hang') res.writeHead(answer, this.headers).end();
      });
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    this.url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
    onTestFinished(() => {
      this.#server.close();
      this.#server.closeAllConnections();
    });
    return this;
  }

  /** A browser of a member that subscribes here. */
  async browser(
    app: TestApp,
    key: Pick<AccessKey, 'key_value'>,
    language: Language = 'en',
  ): Promise<Browser> {
    const path = `/send/${++this.#count}`;
    const keys = browserKeys();
    const subscription = aSubscription({ endpoint: this.url + path, language }, keys);
    await app.api.post('/push/subscriptions').set(asMember(key)).send(subscription).expect(201);
    return new Browser(this, path, keys);
  }
}

export class Browser {
  readonly path: string;
  readonly #service: PushService;
  readonly #keys: BrowserKeys;

  constructor(service: PushService, path: string, keys: BrowserKeys) {
    this.#service = service;
    this.path = path;
    this.#keys = keys;
  }

  get endpoint(): string {
    return this.#service.url + this.path;
  }

  /** The raw messages it received. */
  get received(): Received[] {
    return this.#service.received.filter(({ path }) => path === this.path);
  }

  get notices(): PushPayload[] {
    const { ecdh, auth } = this.#keys;
    const texts = this.received.map(({ body }) =>
      decrypt(body, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }),
    );
    return texts.map((text) => pushPayload.parse(JSON.parse(text.toString())));
  }

  /** Waits until so much was sent to it. */
  async gets(count: number): Promise<PushPayload[]> {
    await vi.waitUntil(() => this.received.length >= count, { timeout: 20_000 });
    return this.notices;
  }

  answers(answer: Answering): void {
    this.#service.answers.set(this.path, answer);
  }
}

export const aPushService = (): Promise<PushService> => new PushService().open();
