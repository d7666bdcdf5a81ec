import { expect, it } from 'vitest';
import { networkAddress, networkLines, ownAddress } from './network-lines.ts';

const LISTENING = { host: '0.0.0.0', port: 8080, publicUrl: null };
const one = (address: string, internal = false, family = 'IPv4') => ({ address, internal, family }) as const as never;

it('a phone in the same network gets the address of the hall, not that of this machine alone, of a tunnel or of the internet', () => {
  const interfaces = {
    lo: [one('127.0.0.1', true)],
    tun0: [one('100.64.3.2')],
    eth0: [one('fe80::1', false, 'IPv6'), one('192.168.178.20')],
  };
  expect(networkAddress(LISTENING, interfaces)).toBe('http://192.168.178.20:8080');
  expect(networkAddress(LISTENING, { eth0: [one('203.0.113.7')], lo: undefined })).toBeNull();
  expect(networkAddress({ ...LISTENING, host: '127.0.0.1' }, interfaces)).toBeNull();
  expect(networkAddress({ ...LISTENING, publicUrl: 'https://fotos.example' }, interfaces)).toBeNull();
});

it('the lines of the start name an address at which the service listens', () => {
  const named = (host: string) => ownAddress({ ...LISTENING, host });
  expect(['0.0.0.0', '::', '127.0.0.1', '::1'].map(named)).toEqual(Array.from({ length: 4 }, () => 'http://localhost:8080'));
  expect(['192.168.1.5', 'fd00::5', 'saal.intern'].map(named)).toEqual([
    'http://192.168.1.5:8080',
    'http://[fd00::5]:8080',
    'http://saal.intern:8080',
  ]);
  expect(ownAddress({ ...LISTENING, host: '127.0.0.1', publicUrl: 'https://fotos.example' })).toBe('https://fotos.example');
});

it('the code is for terminals alone, the English line for everybody', () => {
  const lines = networkLines('http://localhost:8080', 'http://10.0.0.5:8080', true);
  expect(lines).toHaveLength(3);
  expect(lines[1]!.split('\n').length).toBeGreaterThan(10);
  expect(networkLines('http://localhost:8080', 'http://10.0.0.5:8080', false)).toEqual([
    'Für Handys im selben Netz: http://10.0.0.5:8080',
    'Feierbild is running: http://10.0.0.5:8080 – the interface is German; English README: README.md',
  ]);
  expect(networkLines('https://fotos.example', null, true)).toEqual([
    'Feierbild is running: https://fotos.example – the interface is German; English README: README.md',
  ]);
});
