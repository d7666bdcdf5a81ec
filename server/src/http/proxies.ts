import { BlockList, isIPv6 } from 'node:net';

/** Whether a connection comes from one of the proxies of TRUST_PROXY (addresses, networks, `loopback`). */
export function createProxies(trusted: readonly string[] | false): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const proxy of trusted || []) {
    const networks = proxy === 'loopback' ? ['127.0.0.0/8', '::1'] : [proxy];
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    }
  }
  return (address) => address !== undefined && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
