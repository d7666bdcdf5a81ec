/** Bytes read from a file, enough to find its size behind metadata and an embedded preview. */
const HEADER_BYTES = 256 * 1024;
const EXIF = 0x45_78_69_66;
const ORIENTATION = 0x0112;

/** Size of the picture after rotation, pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Reads a picture's size from its header (JPEG, PNG, GIF); null if it is unknown. */
export async function sizeOf(file: Blob): Promise<Size | null> {
  try {
    return measure(new DataView(await file.slice(0, HEADER_BYTES).arrayBuffer()));
  } catch {
    // The header is cut off, or the file is no longer readable.
    return null;
  }
}

/** Reads the size from a header. Throws RangeError if it is cut off. */
function measure(view: DataView): Size | null {
  const magic = view.getUint32(0);
  if (magic === 0x89_50_4e_47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (magic === 0x47_49_46_38) return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  if (magic >>> 16 !== 0xff_d8) return null;
  let turned = false;
  // JPEG: segments with their length, until a frame header (SOF0 to SOF15, without DHT, JPG and DAC).
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xe1 && view.getUint32(at + 4) === EXIF) turned ||= isTurned(view, at + 10);
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return turned ? { width: height, height: width } : { width, height };
    }
  }
  return null;
}

/** Tells whether the camera was held upright: orientations 5 to 8 of a TIFF header's first directory. */
function isTurned(view: DataView, tiff: number): boolean {
  const little = view.getUint8(tiff) === 0x49;
  const directory = tiff + view.getUint32(tiff + 4, little);
  const end = directory + 2 + 12 * view.getUint16(directory, little);
  for (let entry = directory + 2; entry < end; entry += 12)
    if (view.getUint16(entry, little) === ORIENTATION) return view.getUint16(entry + 8, little) >= 5;
  return false;
}
