/** Converts colours that a file describes by code points (ITU-T H.273) or a gamma instead of a profile to sRGB. */

export interface Colours {
  /** Code point of H.273, table 2; `adobe`: the primaries of Adobe RGB (1998). */
  primaries: number | 'adobe';
  /** Code point of H.273, table 3; or a gamma: light is the value raised to it. */
  transfer: number | { gamma: number };
}

type Row = [red: number, green: number, blue: number];

/**
 * Matrices from linear light in these primaries to sRGB's, all with white point D65. Other primaries are near sRGB's, or unknown, and shown
 * as sRGB.
 */
const TO_SRGB = new Map<Colours['primaries'], [Row, Row, Row]>(
  (
    [
      [[9], [1.660491, -0.587641, -0.07285], [-0.12455, 1.1329, -0.008349], [-0.018151, -0.100579, 1.11873]],
      [
        [11, 12],
        [1.22494, -0.22494, 0],
        [-0.042057, 1.042057, 0],
        [-0.019638, -0.078636, 1.098274],
      ],
      [['adobe'], [1.398356, -0.398356, 0], [0, 1, 0], [0, -0.042929, 1.042929]],
    ] as [Colours['primaries'][], Row, Row, Row][]
  ).flatMap(([names, ...rows]) => names.map((name) => [name, rows])),
);

const GAMMA_22 = 4;
const GAMMA_28 = 5;
const LINEAR = 8;
const PQ = 16;
const HLG = 18;

/** Luminance of white in a picture of ordinary range, cd/m² (ITU-R BT.2408). */
const WHITE_NITS = 203;
const PQ_NITS = 10_000;
/** Luminance (cd/m²) and gamma of the display that HLG is graded for (ITU-R BT.2100). */
const HLG_NITS = 1000;
const HLG_GAMMA = 1.2;
/** Light up to which nothing changes; brighter light is compressed into the rest. */
const KNEE = 0.5;
/** Steps of the table from light to sRGB values: 0.2 values in the darkest part. */
const LIGHT_STEPS = 16_384;

/** Tells whether pictures in these colours differ from the same numbers in sRGB. */
export function isOther({ primaries, transfer }: Colours): boolean {
  const curves: (number | object)[] = [GAMMA_28, LINEAR, PQ, HLG];
  return TO_SRGB.has(primaries) || typeof transfer === 'object' || curves.includes(transfer);
}

export interface Samples {
  /** Red, green and blue, or these and alpha. */
  data: Uint8Array | Uint16Array;
  channels: 3 | 4;
  /** The value of full light. */
  most: number;
}

/** Converts a picture to sRGB, 8 bits: colours outside of it are clipped, brightness above white is compressed below it. */
export function toSrgb({ data, channels, most }: Samples, { primaries, transfer }: Colours): Uint8Array<ArrayBuffer> {
  const light = lightOf(transfer, most);
  const value = Uint8Array.from({ length: LIGHT_STEPS }, (_, n) => Math.round(255 * encoded(n / (LIGHT_STEPS - 1))));
  const [red, green, blue] = TO_SRGB.get(primaries) ?? [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const press = transfer === PQ || transfer === HLG ? pressed : undefined;
  const out = new Uint8Array(data.length);
  const valueOf = (linear: number): number => value[Math.round(Math.min(1, Math.max(0, linear)) * (LIGHT_STEPS - 1))] as number;
  for (let at = 0; at < data.length; at += channels) {
    let r = light[data[at] as number] as number;
    let g = light[data[at + 1] as number] as number;
    let b = light[data[at + 2] as number] as number;
    if (press) {
      const scale = press(r, g, b, transfer === HLG);
      r *= scale;
      g *= scale;
      b *= scale;
    }
    out[at] = valueOf(red[0] * r + red[1] * g + red[2] * b);
    out[at + 1] = valueOf(green[0] * r + green[1] * g + green[2] * b);
    out[at + 2] = valueOf(blue[0] * r + blue[1] * g + blue[2] * b);
    if (channels === 4) out[at + 3] = Math.min(255, Math.round(((data[at + 3] as number) / most) * 255));
  }
  return out;
}

/** Tabulates the light of each value, 1 for white. */
function lightOf(transfer: Colours['transfer'], most: number): Float32Array {
  const curve = curveOf(transfer);
  return Float32Array.from({ length: most < 256 ? 256 : 65_536 }, (_, value) => curve(Math.min(1, value / most)));
}

function curveOf(transfer: Colours['transfer']): (value: number) => number {
  if (typeof transfer === 'object') return (value) => value ** transfer.gamma;
  switch (transfer) {
    case GAMMA_22:
      return (value) => value ** 2.2;
    case GAMMA_28:
      return (value) => value ** 2.8;
    case LINEAR:
      return (value) => value;
    case PQ:
      return pqLight;
    case HLG:
      return hlgLight;
    default:
      // Browsers treat the curves of television as sRGB's.
      return (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  }
}

const encoded = (light: number): number => (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055);

/** Returns the light of a value by SMPTE ST 2084. */
function pqLight(value: number): number {
  const root = value ** (32 / 2523);
  return ((Math.max(0, root - 3424 / 4096) / (2413 / 128 - (2392 / 128) * root)) ** (8192 / 1305) * PQ_NITS) / WHITE_NITS;
}

/** Returns the light of the scene, 0 to 1 (ARIB STD-B67); the display's light depends on all three channels. */
const hlgLight = (value: number): number =>
  value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12;

/** Returns the factor for a pixel's light that puts its brightest channel below white and keeps its hue. */
function pressed(red: number, green: number, blue: number, isHlg: boolean): number {
  const scene = isHlg ? 0.2627 * red + 0.678 * green + 0.0593 * blue : 1;
  const shown = isHlg && scene > 0 ? (scene ** (HLG_GAMMA - 1) * HLG_NITS) / WHITE_NITS : 1;
  const most = Math.max(red, green, blue) * shown;
  if (most <= KNEE) return shown;
  return (shown * (KNEE + (1 - KNEE) * (1 - Math.exp((KNEE - most) / (1 - KNEE))))) / most;
}
