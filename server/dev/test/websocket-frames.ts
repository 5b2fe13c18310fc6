import { Transform } from 'node:stream';

const TEXT = 0x81;

/**
 * Passes on what a WebSocket server says, its answer to the handshake first, and then each text as `rewrite` makes it:
 * null leaves it out. Our server's frames are unmasked, whole and not compressed.
 */
export function rewriteTexts(rewrite: (text: string) => string | null): Transform {
  let rest = Buffer.alloc(0);
  let shaken = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      rest = Buffer.concat([rest, chunk]);
      if (!shaken) {
        const end = rest.indexOf('\r\n\r\n');
        if (end < 0) return done();
        shaken = true;
        this.push(rest.subarray(0, end + 4));
        rest = rest.subarray(end + 4);
      }
      for (let frame = firstFrame(rest); frame; frame = firstFrame(rest)) {
        const whole = rest.subarray(0, frame.end);
        const text =
          rest[0] === TEXT ? rewrite(rest.toString('utf8', frame.start, frame.end)) : undefined;
        if (text !== null) this.push(text === undefined ? whole : textFrame(text));
        rest = rest.subarray(frame.end);
      }
      done();
    },
  });
}

/** Where the payload of the first frame begins and ends; null while the frame is not whole. */
function firstFrame(bytes: Buffer): { start: number; end: number } | null {
  if (bytes.length < 2) return null;
  const short = bytes.readUInt8(1) & 0x7f;
  const start = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < start) return null;
  const length =
    short === 127
      ? Number(bytes.readBigUInt64BE(2))
      : short === 126
        ? bytes.readUInt16BE(2)
        : short;
  return bytes.length < start + length ? null : { start, end: start + length };
}

/** Browsers insist on the shortest way to write the length. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head.writeUInt8(TEXT, 0);
  head.writeUInt8(length < 126 ? length : length < 65_536 ? 126 : 127, 1);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}
