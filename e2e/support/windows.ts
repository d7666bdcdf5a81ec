/** Length of a window, bytes. */
const LENGTH = 32;
/** Number of a window's first bits that decide whether the rest is compared. */
const HINT_BITS = 24;

/** Returns windows of a file, evenly spread; windows with few values say nothing about a photo and are left out. */
export function windowsOf(bytes: Buffer, count: number): Buffer[] {
  const windows: Buffer[] = [];
  const step = Math.max(LENGTH, Math.floor(bytes.length / count));
  for (let at = 0; at + LENGTH <= bytes.length; at += step) {
    const window = bytes.subarray(at, at + LENGTH);
    if (new Set(window).size > 8) windows.push(Buffer.from(window));
  }
  return windows;
}

/** Tells whether bytes hold any of the windows at any place, in one pass however many they are. */
export function createSearch(windows: Buffer[]): (bytes: Buffer) => boolean {
  const hints = new Uint8Array(1 << HINT_BITS);
  const known = new Set<string>();
  for (const window of windows) {
    hints[window.readUIntLE(0, 3)] = 1;
    known.add(window.toString('latin1'));
  }
  return (bytes) => {
    let hint = 0;
    for (let end = 0; end < bytes.length; end++) {
      hint = (hint >>> 8) | ((bytes[end] as number) << 16);
      if (hints[hint] === 0) continue;
      const at = end - 2;
      if (at >= 0 && known.has(bytes.toString('latin1', at, at + LENGTH))) return true;
    }
    return false;
  };
}
