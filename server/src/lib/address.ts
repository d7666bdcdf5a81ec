import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEXTETS = { site: 3, network: 4 };

/** IPv4 addresses also where they are written as IPv6 (`::ffff:192.0.2.7`); null where the text is no address. */
function parse(text: string) {
  return isIP(text) ? ipaddr.process(text) : null;
}

/** The first hextets of an IPv6 address, without leading zeros. */
function prefix({ parts }: ipaddr.IPv6, hextets: number): string {
  return `${parts
    .slice(0, hextets)
    .map((part) => part.toString(16))
    .join(':')}::`;
}

/** An address without the part that tells a person: IPv4 without its last octet, IPv6 without its last 80 bits. */
export function shortAddress(address: string): string {
  const parsed = parse(address);
  if (!parsed) return address;
  if (parsed instanceof ipaddr.IPv6) return prefix(parsed, HEXTETS.site);
  return [...parsed.octets.slice(0, 3), 0].join('.');
}

/** What failures are counted by: an IPv4 address, or the /64 network of an IPv6 address (one household). */
export function addressNetwork(address: string): string {
  const parsed = parse(address);
  if (parsed instanceof ipaddr.IPv6) return `${prefix(parsed, HEXTETS.network)}/64`;
  return parsed?.toString() ?? address;
}

/**
 * Who shares limited work by turns, from the widest network to the narrowest: an IPv4 address; of IPv6 the /48 network, which one
 * customer may have whole, and the /64 network in it.
 */
export function networkPath(address: string): string[] {
  const parsed = parse(address);
  const network = addressNetwork(address);
  return parsed instanceof ipaddr.IPv6 ? [`${prefix(parsed, HEXTETS.site)}/48`, network] : [network];
}
