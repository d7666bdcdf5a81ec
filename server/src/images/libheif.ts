/** Wraps the needed functions of libheif's C interface (heif.h, 1.23), in the WebAssembly build of libheif-js. */
import { createRequire } from 'node:module';
import type { Colours } from './colours.ts';
import type { Pixels } from './shrink.ts';

/** Pointers and lengths are numbers; a `heif_error` is returned through the first pointer. */
interface Wasm {
  HEAPU8: Uint8Array;
  HEAPU32: Uint32Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _heif_get_file_mime_type(data: number, length: number): number;
  _heif_context_alloc(): number;
  _heif_context_free(context: number): void;
  _heif_context_get_security_limits(context: number): number;
  _heif_context_read_from_memory_without_copy(error: number, context: number, data: number, length: number, options: number): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_release(handle: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_has_alpha_channel(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, data: number): void;
  _heif_image_handle_get_nclx_color_profile(error: number, handle: number, profile: number): void;
  _heif_nclx_color_profile_free(profile: number): void;
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: number, ids: number, count: number): number;
  _heif_image_handle_get_thumbnail(error: number, handle: number, id: number, thumbnail: number): void;
  _heif_image_handle_get_list_of_metadata_block_IDs(handle: number, filter: number, ids: number, count: number): number;
  _heif_image_handle_get_metadata_content_type(handle: number, id: number): number;
  _heif_image_handle_get_metadata_size(handle: number, id: number): number;
  _heif_image_handle_get_metadata(error: number, handle: number, id: number, data: number): void;
  _heif_decode_image(error: number, handle: number, image: number, colorspace: number, chroma: number, options: number): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
  _heif_image_release(image: number): void;
}

const COLORSPACE_RGB = 1;
const CHANNEL_INTERLEAVED = 10;
const CHROMA_RGB = 10;
const CHROMA_RGBA = 11;
/** Index (of uint32) of `max_items` in `heif_security_limits`; 256 by default, while a 200 MP photo has 822 tiles. */
const MAX_ITEMS_INDEX = 7;
const MAX_ITEMS = 4096;
/** Most ids of thumbnails, or of blocks of metadata, that are read. */
const MAX_IDS = 16;
const MAX_PROFILE_BYTES = 4_000_000;
const MAX_METADATA_BYTES = 16_000_000;
const XMP = 'application/rdf+xml';

const wasm = (createRequire(import.meta.url)('libheif-js/libheif-wasm/libheif-bundle.js') as () => Wasm)();
/** Room for one `heif_error` (12 bytes), one pointer, one list of ids. */
const errorAt = wasm._malloc(16);
const resultAt = wasm._malloc(8);
const idsAt = wasm._malloc(4 * MAX_IDS);

/** A picture in a HEIF file, upright (its own rotation is applied), sizes in pixels. */
export interface HeifPicture {
  width: number;
  height: number;
  /** Decodes to 8 bits a channel. The pixels lie in the decoder's memory and are valid within `use` only. */
  decode<T>(use: (pixels: Pixels) => T): T;
}

export interface HeifFile {
  /** Media type by the file's brand, for example `image/heic`. */
  type: string;
  primary: HeifPicture;
  thumbnails: HeifPicture[];
  /** ICC profile of the primary picture. */
  profile: Uint8Array | null;
  /** Code points of the colours, for files without a profile. */
  colours: Colours | null;
  exif: Uint8Array | undefined;
  xmp: Uint8Array | undefined;
}

/**
 * Opens a HEIF file for the time of `use`. Throws libheif's text if the file is no HEIF or damaged. An error leaves memory allocated: the
 * process must end then.
 */
export function withHeif<T>(file: Uint8Array, use: (heif: HeifFile) => T): T {
  const data = wasm._malloc(file.length);
  wasm.HEAPU8.set(file, data);
  const context = wasm._heif_context_alloc();
  wasm.HEAPU32[wasm._heif_context_get_security_limits(context) / 4 + MAX_ITEMS_INDEX] = MAX_ITEMS;
  checked(() => wasm._heif_context_read_from_memory_without_copy(errorAt, context, data, file.length, 0));
  const primary = result(() => wasm._heif_context_get_primary_image_handle(errorAt, context, resultAt));
  const count = wasm._heif_image_handle_get_list_of_thumbnail_IDs(primary, idsAt, MAX_IDS);
  const ids = ids32(count);
  const thumbnails = ids.map((id) => result(() => wasm._heif_image_handle_get_thumbnail(errorAt, primary, id, resultAt)));
  const answer = use({
    type: text(wasm._heif_get_file_mime_type(data, file.length)),
    primary: picture(primary),
    thumbnails: thumbnails.map(picture),
    profile: readProfile(primary),
    colours: readColours(primary),
    exif: readMetadata(primary, 'Exif'),
    xmp: readMetadata(primary, 'mime'),
  });
  for (const handle of [...thumbnails, primary]) wasm._heif_image_handle_release(handle);
  wasm._heif_context_free(context);
  wasm._free(data);
  return answer;
}

function picture(handle: number): HeifPicture {
  return {
    width: wasm._heif_image_handle_get_width(handle),
    height: wasm._heif_image_handle_get_height(handle),
    decode(use) {
      const channels = wasm._heif_image_handle_has_alpha_channel(handle) ? 4 : 3;
      const chroma = channels === 4 ? CHROMA_RGBA : CHROMA_RGB;
      const image = result(() => wasm._heif_decode_image(errorAt, handle, resultAt, COLORSPACE_RGB, chroma, 0));
      const plane = wasm._heif_image_get_plane_readonly(image, CHANNEL_INTERLEAVED, resultAt);
      const answer = use({
        data: wasm.HEAPU8.subarray(plane),
        width: wasm._heif_image_get_width(image, CHANNEL_INTERLEAVED),
        height: wasm._heif_image_get_height(image, CHANNEL_INTERLEAVED),
        channels,
        stride: wasm.HEAPU32[resultAt / 4] as number,
      });
      wasm._heif_image_release(image);
      return answer;
    },
  };
}

function readProfile(handle: number): Uint8Array | null {
  const size = wasm._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0 || size > MAX_PROFILE_BYTES) return null;
  return copied(size, (data) => wasm._heif_image_handle_get_raw_color_profile(errorAt, handle, data));
}

/** Offsets in `heif_color_profile_nclx`, in words of 4 bytes; the version comes first. */
const [PRIMARIES, TRANSFER] = [1, 2];

function readColours(handle: number): Colours | null {
  wasm._heif_image_handle_get_nclx_color_profile(errorAt, handle, resultAt);
  if (wasm.HEAPU32[errorAt / 4] !== 0) return null;
  const profile = wasm.HEAPU32[resultAt / 4] as number;
  const words = wasm.HEAPU32.subarray(profile / 4);
  const colours = { primaries: words[PRIMARIES] as number, transfer: words[TRANSFER] as number };
  wasm._heif_nclx_color_profile_free(profile);
  return colours;
}

/** Reads the first block of this kind; for `mime`, the first XMP. */
function readMetadata(handle: number, kind: 'Exif' | 'mime'): Uint8Array | undefined {
  const filter = wasm._malloc(5);
  wasm.HEAPU8.set(Buffer.from(`${kind}\0`, 'latin1'), filter);
  const blocks = ids32(wasm._heif_image_handle_get_list_of_metadata_block_IDs(handle, filter, idsAt, MAX_IDS));
  wasm._free(filter);
  const id = blocks.find((block) => kind === 'Exif' || text(wasm._heif_image_handle_get_metadata_content_type(handle, block)) === XMP);
  if (id === undefined) return undefined;
  const size = wasm._heif_image_handle_get_metadata_size(handle, id);
  if (size === 0 || size > MAX_METADATA_BYTES) return undefined;
  return copied(size, (data) => wasm._heif_image_handle_get_metadata(errorAt, handle, id, data));
}

/** Copies the bytes that libheif writes to memory of `size` bytes. */
function copied(size: number, write: (data: number) => void): Uint8Array {
  const data = wasm._malloc(size);
  checked(() => write(data));
  const bytes = wasm.HEAPU8.slice(data, data + size);
  wasm._free(data);
  return bytes;
}

function ids32(count: number): number[] {
  return Array.from(wasm.HEAPU32.subarray(idsAt / 4, idsAt / 4 + count));
}

/** Returns the pointer that a call stores. */
function result(call: () => void): number {
  checked(call);
  return wasm.HEAPU32[resultAt / 4] as number;
}

function checked(call: () => void): void {
  call();
  // The memory may have grown during the call, which makes old views invalid.
  if (wasm.HEAPU32[errorAt / 4] !== 0) throw new Error(text(wasm.HEAPU32[errorAt / 4 + 2] as number));
}

function text(pointer: number): string {
  return Buffer.from(wasm.HEAPU8.subarray(pointer, wasm.HEAPU8.indexOf(0, pointer))).toString('latin1');
}
