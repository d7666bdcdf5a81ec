import { isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { renderUnicodeCompact } from 'uqr';

interface Listening {
  host: string;
  port: number;
  /** If set, everybody knows the address. */
  publicUrl: string | null;
}

/** Private addresses that routers assign in homes and halls (RFC 1918). */
const AT_HOME = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;
const EVERYWHERE = new Set(['0.0.0.0', '::']);
const LOCALHOST = new Set(['127.0.0.1', '::1', ...EVERYWHERE]);

/** Returns the address by which a browser on this machine reaches the service. */
export function ownAddress({ host, port, publicUrl }: Listening): string {
  if (publicUrl !== null) return publicUrl;
  const name = LOCALHOST.has(host) ? 'localhost' : host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** Returns the address by which a phone in the same network reaches this node; null: none is known, or none is needed. */
export function networkAddress(
  { host, port, publicUrl }: Listening,
  interfaces: Record<string, Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>,
): string | null {
  if (publicUrl !== null || !EVERYWHERE.has(host)) return null;
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ address, family, internal }) => family === 'IPv4' && !internal && AT_HOME.test(address));
  return found ? `http://${found.address}:${port}` : null;
}

/**
 * Returns lines for people who try the service: its address for phones, as a QR code on a terminal, and a line for readers without German.
 */
export function networkLines(address: string, inNetwork: string | null, onTerminal: boolean): string[] {
  return [
    ...(inNetwork === null ? [] : [`Für Handys im selben Netz: ${inNetwork}`]),
    ...(inNetwork !== null && onTerminal ? [renderUnicodeCompact(inNetwork, { border: 2 })] : []),
    `Feierbild is running: ${inNetwork ?? address} – the interface is German; English README: README.md`,
  ];
}
