import type { IncomingMessage } from 'node:http';

/** An address with a port: of IPv6 in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+(?:\.\d+){3}):\d+)$/;

/**
 * Takes the ports away that proxies (IIS, Azure's) write behind addresses in `X-Forwarded-For`: each connection would be a network of its own, for
 * limits and for the log. Called before anything else reads the request.
 */
export function dropForwardedPorts({ headers }: IncomingMessage): void {
  const forwardedFor = headers['x-forwarded-for'];
  if (typeof forwardedFor !== 'string') return;
  const addresses = forwardedFor.split(',').map((one) => one.trim().replace(WITH_PORT, (_, ipv6 = '', ipv4 = '') => `${ipv6}${ipv4}`));
  headers['x-forwarded-for'] = addresses.join(', ');
}
