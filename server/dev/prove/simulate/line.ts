import { EventEmitter } from 'node:events';
import { WebSocket } from 'socket.io-client';

/** Engine.IO's packets: an opened connection, and a message. The server's pings play no part here: see `NEVER_MS`. */
const OPEN = '0';
const MESSAGE = '4';
/** Socket.IO's, of a question and of its answer, each with a number. */
const QUESTION = /^42(\d+)\["sync"/;
const ANSWER = '43';
/** Never within a world: a line breaks when the world says so. */
export const NEVER_MS = 1_000_000_000;

/** The client's end of a line: the part of a browser's WebSocket that Socket.IO's client uses. */
export interface ClientEnd {
  onopen: () => void;
  onmessage: (event: { data: string }) => void;
  onclose: (event: object) => void;
  onerror: (event: object) => void;
  binaryType: string;
  send: (data: string) => void;
  close: () => void;
}

interface Packet {
  type: 'message';
  data: string;
  options: FrameOptions;
}

interface FrameOptions {
  /** A whole WebSocket frame, which is sent in place of the packet's data. */
  wsPreEncodedFrame?: readonly Buffer[];
}

/** The text of an unmasked WebSocket frame (RFC 6455, 5.2). */
function textOfFrame(frame: Buffer): string {
  const length = (frame[1] ?? 0) & 0x7f;
  return frame.toString('utf8', length === 127 ? 10 : length === 126 ? 4 : 2);
}

/** The TCP connection under a live one, as far as the server bounds it. */
class Wire extends EventEmitter {
  destroyed = false;
  readonly writableLength = 0;
  readonly encrypted = false;
  readonly #cut: () => void;

  constructor(cut: () => void) {
    super();
    this.#cut = cut;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#cut();
    this.emit('close');
  }
}

/** The server's end of it: the part of an Engine.IO connection that Socket.IO's server, and ours, use. */
class ServerEnd extends EventEmitter {
  readonly id: string;
  readonly protocol = 4;
  readonly request: {
    headers: object;
    url: string;
    _query: object;
    connection: Wire;
    socket: Wire;
  };
  readonly remoteAddress = '127.0.0.1';
  readonly transport = Object.assign(new EventEmitter(), { name: 'websocket', writable: true });
  readyState: 'open' | 'closed' = 'open';
  readonly #line: Line;
  readonly #wire: Wire;

  constructor(line: Line, id: string) {
    super();
    this.#line = line;
    this.#wire = new Wire(() => line.cut());
    this.request = {
      headers: {},
      url: '/socket.io/',
      _query: {},
      connection: this.#wire,
      socket: this.#wire,
    };
    this.id = id;
  }

  write(data: string, options: FrameOptions = {}): this {
    if (this.readyState !== 'open') return this;
    const packet: Packet = { type: 'message', data, options };
    this.emit('packetCreate', packet);
    this.emit('flush', [packet]);
    const frame = packet.options.wsPreEncodedFrame;
    this.#line.send(frame ? textOfFrame(Buffer.concat(frame)) : MESSAGE + packet.data);
    return this;
  }

  send(data: string, options?: FrameOptions): this {
    return this.write(data, options);
  }

  onOutcome(data: string): void {
    this.emit('packet', { type: 'message', data });
    this.emit('data', data);
  }

  /** The client has received the first message in flight. */
  taken(): void {
    this.transport.emit('drain');
  }

  /** Bytes written before still arrive. */
  close(): void {
    if (this.readyState === 'closed') return;
    this.#line.down.push(null);
    this.lose('forced close');
  }

  lose(reason: string): void {
    if (this.readyState === 'open') {
      this.readyState = 'closed';
      this.emit('close', reason);
    }
    // Pending messages go first.
    if (reason !== 'forced close') this.#wire.destroy();
  }
}

export interface LineOptions {
  /** Gives the server its end; false: there is no server. */
  accept: (connection: EventEmitter) => boolean;
  /** Sees every message at the moment in which the server sends it. */
  sent: (message: string) => void;
  /** Sees every message as it arrives; false: it is lost without notice. */
  pass: (message: string) => boolean;
}

let opened = 0;

/** One live connection: messages that wait to be handed over, one at a time, in each direction. */
export class Line {
  readonly up: string[] = [];
  /** null: the server has closed it. */
  readonly down: (string | null)[] = [];
  /** Nothing is handed over, either way. */
  isHeld = false;
  /** The newest `sync` that is not answered. */
  #pendingSync: string | null = null;
  /** A `reset` arrived: the page asks for the whole board a moment later. */
  #isReset = false;
  #isOver = false;
  #isOpened = false;
  #server: ServerEnd | null = null;
  readonly client: ClientEnd;
  readonly #ends: LineOptions;

  constructor(ends: LineOptions) {
    this.#ends = ends;
    const nothing = (): void => {};
    this.client = {
      onopen: nothing,
      onmessage: nothing,
      onclose: nothing,
      onerror: nothing,
      binaryType: '',
      send: (data) => {
        const question = QUESTION.exec(data)?.[1];
        if (question !== undefined) {
          this.#pendingSync = question;
          this.#isReset = false;
        }
        this.up.push(data);
      },
      close: () => {
        this.#isOver = true;
        this.#server?.lose('transport close');
      },
    };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the client has requested a sync without an answer yet, or is about to. */
  get isAsking(): boolean {
    return this.#pendingSync !== null || this.#isReset;
  }

  /** Sends a message of the server. */
  send(message: string): void {
    this.#ends.sent(message);
    this.down.push(message);
  }

  /** Hands over one message. @returns false when there was none to hand over */
  step(): boolean {
    if (this.#isOver || this.isHeld) return false;
    if (!this.#isOpened) return this.#open();
    const down = this.down.shift();
    if (down === null) {
      this.cut();
      return true;
    }
    if (down !== undefined) {
      if (this.#pendingSync !== null && down.startsWith(`${ANSWER}${this.#pendingSync}[`)) {
        this.#pendingSync = null;
        this.#isReset = false;
      }
      this.#server?.taken();
      if (this.#ends.pass(down)) {
        if (down.includes('"op":"reset"')) this.#isReset = true;
        this.client.onmessage({ data: down });
      }
      return true;
    }
    const up = this.up.shift();
    if (up === undefined) return false;
    if (up.startsWith(MESSAGE)) this.#server?.onOutcome(up.slice(MESSAGE.length));
    return true;
  }

  #open(): boolean {
    this.#isOpened = true;
    opened += 1;
    const end = new ServerEnd(this, `line-${opened}`);
    if (!this.#ends.accept(end)) {
      this.#isOver = true;
      this.client.onerror({});
      this.client.onclose({});
      return true;
    }
    this.#server = end;
    this.client.onopen();
    this.down.unshift(
      OPEN +
        JSON.stringify({
          sid: end.id,
          upgrades: [],
          pingInterval: NEVER_MS,
          pingTimeout: NEVER_MS,
          maxPayload: 10_000,
        }),
    );
    return true;
  }

  /** Breaks the connection: messages in flight are lost. `late`: the server does not notice until `noticed` is called. */
  cut(late = false): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.client.onclose({});
    }
    if (!late) this.noticed();
  }

  noticed(): void {
    this.#server?.lose('transport close');
  }
}

/** A transport for Socket.IO's own client that goes over lines. */
export function transportOver(dial: () => Line): typeof WebSocket {
  return class extends WebSocket {
    #end: ClientEnd | null = null;
    override createSocket(): ClientEnd {
      this.#end = dial().client;
      return this.#end;
    }
    override doWrite(_packet: unknown, data: unknown): void {
      if (typeof data === 'string') this.#end?.send(data);
    }
  };
}
