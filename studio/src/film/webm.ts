import { lengthOf, letters, type Packet, type Part, sizeOf, type Track, uint } from './container.ts';

/**
 * WebM with one track of pictures (Matroska, RFC 9559): an element is its id, its length and what is in it. Times are
 * milliseconds; a cluster begins with each picture that stands alone.
 */
const element = (id: number, ...parts: (Part | Part[])[]): Part[] => {
  const body = parts.flat();
  const size = uint(sizeOf(body), 8);
  size[0] |= 1; // a length of eight bytes
  return [uint(id, Math.ceil(Math.log2(id + 1) / 8)), size, ...body];
};

const number = (id: number, value: number): Part[] => element(id, uint(value, 4));
const text = (id: number, value: string): Part[] => element(id, letters(value));

function float(id: number, value: number): Part[] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

const milliseconds = (micro: number): number => Math.round(micro / 1000);

/** @param codec Matroska's name: V_VP9. */
export function webm(track: Track, codec: string): Blob {
  const header = element(
    0x1a45dfa3,
    number(0x4286, 1),
    number(0x42f7, 1),
    number(0x42f2, 4),
    number(0x42f3, 8),
    text(0x4282, 'webm'),
    number(0x4287, 4),
    number(0x4285, 2),
  );
  const info = element(
    0x1549a966,
    number(0x2ad7b1, 1_000_000),
    float(0x4489, lengthOf(track) / 1000),
    text(0x4d80, 'Pliant'),
    text(0x5741, 'Pliant'),
  );
  const video = element(0xe0, number(0xb0, track.width), number(0xba, track.height));
  const entry = element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, codec), video);
  const segment = element(0x18538067, info, element(0x1654ae6b, entry), ...clusters(track.packets));
  return new Blob([...header, ...segment], { type: 'video/webm' });
}

function clusters(packets: readonly Packet[]): Part[][] {
  const groups: Packet[][] = [];
  for (const packet of packets) {
    if (packet.key) groups.push([]);
    groups[groups.length - 1].push(packet);
  }
  return groups.map((group) => {
    const start = milliseconds(group[0].start);
    const blocks = group.map((packet) => {
      const head = [uint(0x81, 1), uint(milliseconds(packet.start) - start, 2), uint(packet.key ? 0x80 : 0, 1)];
      return element(0xa3, head, packet.bytes);
    });
    return element(0x1f43b675, number(0xe7, start), ...blocks);
  });
}
