/** Engine.IO's mark of a message. */
const MESSAGE = '4';

/** The header of a whole, unmasked text frame (RFC 6455, 5.2). */
export function headerOf(length: number): Buffer {
  const FIN_AND_TEXT = 0x81;
  if (length < 126) return Buffer.from([FIN_AND_TEXT, length]);
  if (length < 65_536) {
    const header = Buffer.from([FIN_AND_TEXT, 126, 0, 0]);
    header.writeUInt16BE(length, 2);
    return header;
  }
  const header = Buffer.alloc(10);
  header[0] = FIN_AND_TEXT;
  header[1] = 127;
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** A Socket.IO packet, or its beginning, as the bytes of a message. */
export const messageBytes = (packet: string): Buffer => Buffer.from(MESSAGE + packet);

/** A whole Socket.IO packet as one frame in one piece: a connection takes it in one write. */
export function frameOf(packet: string): Buffer {
  const bytes = messageBytes(packet);
  return Buffer.concat([headerOf(bytes.length), bytes]);
}
