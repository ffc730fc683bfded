/** Unpacks zlib data to exactly `size` bytes; undefined where there are more, fewer, or none to be had. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array | undefined> {
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // Damaged bytes make both ends fail; the reader's failure is the one that is looked at.
  const written = writer.write(bytes).then(
    () => writer.close(),
    () => {},
  );
  written.catch(() => {});
  const out = new Uint8Array(size);
  const reader = stream.readable.getReader();
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value!.length > size) {
        await reader.cancel();
        return undefined;
      }
      out.set(value!, length);
      length += value!.length;
    }
  } catch {
    return undefined;
  }
  return length === size ? out : undefined;
}
