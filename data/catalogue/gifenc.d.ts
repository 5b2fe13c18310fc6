declare module 'gifenc' {
  export type Color = readonly [red: number, green: number, blue: number];

  export interface FrameOptions {
    palette: readonly Color[];
    transparent?: boolean;
    transparentIndex?: number;
  }

  export interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }

  const gifenc: { GIFEncoder(): Encoder };
  export default gifenc;
}
