import type { IncomingMessage } from 'node:http';

/** An address with a port; IPv6 in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/**
 * Removes the ports that proxies (IIS, Azure's) append to addresses in `X-Forwarded-For`: with them, limits and log would count each
 * connection as a network of its own. Called before anything else reads the request.
 */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string') return;
  const addresses = forwardedFor.split(',').map((one) => one.trim().replace(WITH_PORT, (_, ipv6 = '', ipv4 = '') => `${ipv6}${ipv4}`));
  headers['x-forwarded-for'] = addresses.join(', ');
}
