// What Node ≥ 20 and every browser have beyond ECMAScript, in the shape that src/ uses it. The core is compiled without
// the DOM's and Node's types, so that reaching for anything else is an error.

interface AbortSignal {
  readonly aborted: boolean;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean });
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare function atob(data: string): string;
declare function btoa(data: string): string;

declare class CompressionStream {
  constructor(format: 'deflate');
  readonly writable: { getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> } };
  readonly readable: { getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> } };
}

declare class DecompressionStream {
  constructor(format: 'deflate');
  readonly writable: { getWriter(): { write(chunk: Uint8Array<ArrayBuffer>): Promise<void>; close(): Promise<void> } };
  readonly readable: {
    getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
  };
}

declare class URL {
  constructor(url: string, base?: string);
  readonly href: string;
}

interface ImportMeta {
  readonly url: string;
}

declare const performance: { now(): number };

declare function setTimeout(callback: () => void, milliseconds?: number): unknown;

declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer | SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
  function validate(bytes: Uint8Array): boolean;
}
