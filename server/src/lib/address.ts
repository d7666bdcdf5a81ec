import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const HEXTETS = { site: 3, network: 4 };

/** Parses an address; IPv4 in IPv6 form (`::ffff:192.0.2.7`) becomes IPv4. Null if the text is no address. */
function parse(text: string) {
  return isIP(text) ? ipaddr.process(text) : null;
}

/** Returns the first hextets of an IPv6 address, without leading zeros. */
function prefix({ parts }: ipaddr.IPv6, hextets: number): string {
  return `${parts
    .slice(0, hextets)
    .map((part) => part.toString(16))
    .join(':')}::`;
}

/** Removes the part of an address that identifies a person: IPv4's last octet, IPv6's last 80 bits. */
export function shortAddress(address: string): string {
  const parsed = parse(address);
  if (!parsed) return address;
  if (parsed instanceof ipaddr.IPv6) return prefix(parsed, HEXTETS.site);
  return [...parsed.octets.slice(0, 3), 0].join('.');
}

/** Returns the network for which failures are counted: an IPv4 address, or the /64 network of an IPv6 address (one household). */
export function addressNetwork(address: string): string {
  const parsed = parse(address);
  if (parsed instanceof ipaddr.IPv6) return `${prefix(parsed, HEXTETS.network)}/64`;
  return parsed?.toString() ?? address;
}

/**
 * Returns the networks between which limited work is shared fairly, from the widest to the narrowest: an IPv4 address; for IPv6 the /48
 * network, which may belong to one customer, and its /64 network.
 */
export function networkPath(address: string): string[] {
  const parsed = parse(address);
  const network = addressNetwork(address);
  return parsed instanceof ipaddr.IPv6 ? [`${prefix(parsed, HEXTETS.site)}/48`, network] : [network];
}
