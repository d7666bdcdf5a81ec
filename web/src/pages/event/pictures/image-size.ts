/** Enough of a file to hold its size behind metadata and an embedded preview, bytes. */
const HEADER_BYTES = 256 * 1024;

/** How many pixels a picture has, read from its header (JPEG, PNG, GIF); null where that is not known. */
export async function pixelsOf(file: Blob): Promise<number | null> {
  try {
    return measure(new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer()));
  } catch {
    // Cut off, or no longer readable.
    return null;
  }
}

/** Throws RangeError where the header is cut off. */
function measure(view: DataView): number | null {
  const magic = view.getUint32(0);
  if (magic === 0x89_50_4e_47) return view.getUint32(16) * view.getUint32(20);
  if (magic === 0x47_49_46_38) return view.getUint16(6, true) * view.getUint16(8, true);
  if (magic >>> 16 !== 0xff_d8) return null;
  // JPEG: segments with their length, until a frame header (SOF0 to SOF15, without DHT, JPG and DAC).
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return view.getUint16(at + 5) * view.getUint16(at + 7);
  }
  return null;
}
