import { describe, expect, it } from 'vitest';
import { addressNetwork, networkPath, shortAddress } from './address.ts';

describe('addresses', () => {
  it('loses the last octet of IPv4 and the last 80 bits of IPv6', () => {
    expect(shortAddress('192.0.2.77')).toBe('192.0.2.0');
    expect(shortAddress('::ffff:192.0.2.77')).toBe('192.0.2.0');
    expect(shortAddress('2001:db8:7:8:9:a:b:c')).toBe('2001:db8:7::');
    expect(shortAddress('2001:db8::1')).toBe('2001:db8:0::');
  });

  it('counts IPv6 by its /64 network however it is written', () => {
    expect(addressNetwork('2001:db8::1')).toBe(addressNetwork('2001:0db8:0:0:ffff::2'));
    expect(addressNetwork('2001:db8:0:1::1')).not.toBe(addressNetwork('2001:db8:0:2::1'));
    expect(addressNetwork('::ffff:192.0.2.77')).toBe('192.0.2.77');
    expect(addressNetwork('::ffff:c000:24d')).toBe('192.0.2.77');
  });

  it('shares work by IPv4 addresses, and by /48 and /64 networks of IPv6', () => {
    expect(networkPath('::ffff:192.0.2.77')).toEqual(['192.0.2.77']);
    expect(networkPath('2001:db8:7:8::1')).toEqual(['2001:db8:7::/48', '2001:db8:7:8::/64']);
  });

  it('shares work by IPv4 addresses, and by /48 and /64 networks of IPv6', () => {
    expect(networkPath('::ffff:192.0.2.77')).toEqual(['192.0.2.77']);
    expect(networkPath('2001:db8:7:8::1')).toEqual(['2001:db8:7::/48', '2001:db8:7:8::/64']);
  });
});
