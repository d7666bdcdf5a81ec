import { isIPv6 } from 'node:net';

/** An address without the part that tells a person: IPv4 without its last octet, IPv6 without its last 80 bits. */
export function shortAddress(address: string): string {
  if (!isIPv6(address)) return address.replace(/\.\d+$/, '.0');
  const mapped = /^::ffff:(\d+\.\d+\.\d+)\.\d+$/i.exec(address);
  if (mapped) return `${mapped[1]}.0`;
  return `${expandIPv6(address).slice(0, 3).join(':')}::`;
}

/** What failures are counted by: an IPv4 address, or the /64 network of an IPv6 address (one household). */
export function addressNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] as string;
  return `${expandIPv6(address).slice(0, 4).join(':')}::/64`;
}

/**
 * Who shares limited work by turns, from the widest network to the narrowest: an IPv4 address; of IPv6 the /48 network, which one
 * customer may have whole, and the /64 network in it.
 */
export function networkPath(address: string): string[] {
  const network = addressNetwork(address);
  return network.includes(':') ? [`${shortAddress(address)}/48`, network] : [network];
}

/** The eight groups of an IPv6 address, without leading zeros; a zone is dropped. */
function expandIPv6(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] as string).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
